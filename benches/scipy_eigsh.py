"""SciPy on the matrices that the example `eigen_block` wrote, for comparison.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scipy
    cargo build --release -p foley-modal --example eigen_block
    /tmp/venv/bin/python benches/scipy_eigsh.py --cells 30 23 17 --runs 3 \
        --program target/release/examples/eigen_block

Runs the example and SciPy in turn, each in a process of its own, on the same number of
threads, and prints both times, both memories, the ratio and the largest difference.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def scipy_run(folder, count):
    """One run of eigsh, as JSON on the standard output."""
    import numpy as np
    import scipy.sparse as sp
    from scipy.sparse.linalg import eigsh

    folder = pathlib.Path(folder)

    def matrix(name):
        rows = np.fromfile(folder / f"{name}.rows.u4", dtype="<u4").astype(np.int32)
        columns = np.fromfile(folder / f"{name}.columns.u4", dtype="<u4").astype(np.int32)
        values = np.fromfile(folder / f"{name}.values.f8", dtype="<f8")
        n = int(rows.max()) + 1
        lower = sp.csc_matrix((values, (rows, columns)), shape=(n, n))
        return (lower + sp.tril(lower, -1).T).tocsc()

    stiffness, mass = matrix("stiffness"), matrix("mass")
    ours = np.fromfile(folder / "omega_squared.f8", dtype="<f8")
    # As far below zero as the first elastic mode is above it.
    sigma = -ours[ours > 1e-6 * ours[-1]][0]
    start, cpu = time.perf_counter(), time.process_time()
    values, vectors = eigsh(stiffness, count, mass, sigma=sigma)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    values = np.sort(values)
    elastic = ours > 1e-6 * ours[-1]
    difference = np.abs(values[elastic] / ours[elastic] - 1).max()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak, "difference": difference}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="target/release/examples/eigen_block")
    parser.add_argument("--cells", nargs=3, default=["18", "14", "11"])
    parser.add_argument("--modes", default="200")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--scipy", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.scipy:
        return scipy_run(arguments.scipy, int(arguments.modes))

    names = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]
    environment = os.environ | {name: arguments.threads for name in names}

    def run(command):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.runs):
            text = run([arguments.program, *arguments.cells, arguments.modes, folder])
            pairs = dict(re.findall(r"(wall_s|cpu_s|peak_mib) ([\d.]+)", text))
            ours.append({"wall": float(pairs["wall_s"]), "cpu": float(pairs["cpu_s"]),
                         "peak": float(pairs["peak_mib"])})
            text = run([sys.executable, __file__, "--scipy", folder, "--modes", arguments.modes])
            theirs.append(json.loads(text))
            print("ours", ours[-1], "scipy", theirs[-1], flush=True)
    middle = {k: (statistics.median(r[k] for r in ours), statistics.median(r[k] for r in theirs))
              for k in ["wall", "cpu", "peak"]}
    for key, (mine, other) in middle.items():
        print(f"{key:5} ours {mine:8.2f}  scipy {other:8.2f}  ratio {other / mine:5.2f}")
    print(f"largest relative difference {max(r['difference'] for r in theirs):.1e}")


if __name__ == "__main__":
    main()
