"""Sound power of unbaffled plates against bempp-cl, an independent boundary element library.

    make bench-waves

runs it with an environment of its own. Both solve the hypersingular equation of an open screen
for given normal velocities, bempp-cl with its own mesh, assembly and far-field operators. Fails
when powers differ by more than a decibel. Figures are appended to the file that FOLEY_MEASURED
names, as `crates/foley-measured/src/record.rs` does.
"""

import argparse
import json
import math
import os
import subprocess
import sys

import numpy as np

try:
    import bempp_cl.api as bempp
except ImportError:
    import bempp.api as bempp

RHO, C = 1.204, 343.2
SIZE = (0.3, 0.2)
# Half-waves along both sides (0, 0: the rigid plate) and wave numbers, 1/m.
CASES = [((0, 0), [2.0, 30.0]), ((1, 1), [3.0, 25.0]), ((2, 1), [5.0, 35.0]),
         ((3, 2), [15.0, 60.0])]
WITHIN_DB = 1.0


def plate(cells):
    """A grid of squares, each cut along its rising diagonal."""
    nx, ny = cells
    x, y = np.meshgrid(np.linspace(0, SIZE[0], nx + 1), np.linspace(0, SIZE[1], ny + 1))
    points = np.vstack([x.ravel(), y.ravel(), np.zeros(x.size)])
    corner = (np.arange(ny)[:, None] * (nx + 1) + np.arange(nx)).ravel()
    first = np.vstack([corner, corner + 1, corner + nx + 2])
    second = np.vstack([corner, corner + nx + 2, corner + nx + 1])
    return bempp.Grid(points, np.hstack([first, second]).astype("uint32"))


def directions(degree):
    """Gauss-Legendre rings: directions and weights."""
    z, w = np.polynomial.legendre.leggauss(degree + 1)
    phi = 2 * math.pi * np.arange(2 * degree + 2) / (2 * degree + 2)
    s = np.sqrt(1 - z**2)
    points = np.array([np.outer(s, np.cos(phi)).ravel(), np.outer(s, np.sin(phi)).ravel(),
                       np.outer(z, np.ones_like(phi)).ravel()])
    return points, np.outer(w, np.full(phi.size, 2 * math.pi / phi.size)).ravel()


def bempp_power(grid, mode, k):
    """Power by bempp-cl, W."""
    m, n = mode
    space = bempp.function_space(grid, "P", 1)

    @bempp.complex_callable
    def speed(x, normal, domain, result):
        if m == 0:
            result[0] = 1.0
        else:
            result[0] = (math.sin(m * math.pi * x[0] / SIZE[0])
                         * math.sin(n * math.pi * x[1] / SIZE[1]))

    velocity = bempp.GridFunction(space, dual_space=space, fun=speed)
    # Its operator is the negative of the normal derivative of the double layer.
    operator = bempp.operators.boundary.helmholtz.hypersingular(space, space, space, k)
    matrix = bempp.as_matrix(operator.weak_form())
    jump = np.linalg.solve(matrix, -1j * k * C * RHO * velocity.projections(space))
    density = bempp.GridFunction(space, coefficients=jump)
    points, weights = directions(24)
    far = bempp.operators.far_field.helmholtz.double_layer(space, points, k)
    pressure = (far * density).ravel()
    return float(np.sum(weights * np.abs(pressure) ** 2) / (2 * RHO * C))


def record(name, figure):
    """Appends a figure, if a file is named: one line of JSON."""
    path = os.environ.get("FOLEY_MEASURED")
    if path:
        line = {"id": name, "figure": repr(float(figure)), "command": "make bench-waves"}
        with open(path, "a") as file:
            file.write(json.dumps(line) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="target/release/examples/radiate_plate")
    parser.add_argument("--cells", type=int, default=30, help="of Foley, along the longer side")
    parser.add_argument("--bempp-cells", type=int, default=24)
    arguments = parser.parse_args()
    bempp.DEFAULT_DEVICE_INTERFACE = "numba"

    def cells(along):
        return along, round(along * SIZE[1] / SIZE[0])

    grid = plate(cells(arguments.bempp_cells))
    worst = 0.0
    print("mode      k     foley W     bempp W      dB")
    for mode, wave_numbers in CASES:
        words = [*SIZE, *cells(arguments.cells), *mode, *wave_numbers]
        text = subprocess.run([arguments.program, *map(str, words)], capture_output=True,
                              text=True, check=True).stdout
        for line in text.splitlines():
            ours = json.loads(line)
            theirs = bempp_power(grid, mode, ours["k"])
            db = 10 * math.log10(ours["power_w"] / theirs)
            worst = max(worst, abs(db))
            print(f"{mode} {ours['k']:6.1f}  {ours['power_w']:.4e}  {theirs:.4e}  {db:+.3f}")
    record("radiation.bempp", worst)
    print(f"largest difference {worst:.3f} dB, "
          f"{'holds' if worst <= WITHIN_DB else 'DOES NOT HOLD'}")
    return 0 if worst <= WITHIN_DB else 1


if __name__ == "__main__":
    sys.exit(main())
