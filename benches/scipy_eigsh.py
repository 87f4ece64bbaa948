"""The eigensolver against SciPy's `eigsh(K, k, M, sigma=…)`, on the same matrices.

    make bench-eigen

runs it with an environment of its own. Each side runs in processes of its own, in turn, on
one thread and on all, and the best median of each quantity counts. SciPy also tries a shift
just below zero and one amid the wanted modes. Fails when a promise does not hold: five times
as fast in wall time and in processor time, the same ω to 1e-6, and no more memory. Figures are
appended to the file that FOLEY_MEASURED names, as `crates/foley-measured/src/record.rs` does;
`scripts/measure` states them in MEASURED.md.
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

# Cells of the block, runs, and whether a single thread is tried too: the large one takes
# minutes a try.
SIZES = {"10k": (["18", "14", "11"], 3, True), "40k": (["30", "23", "17"], 1, False)}
FASTER = 5.0
SAME = 1e-6


def scipy_run(folder, count, place):
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
    elastic = ours > 1e-6 * ours[-1]
    # As far below zero as the first elastic mode is above it, or between two modes.
    first, middle = int(np.argmax(elastic)), int(0.6 * count)
    sigma = {"below": -ours[first], "amid": 0.5 * (ours[middle] + ours[middle + 1])}[place]
    start, cpu = time.perf_counter(), time.process_time()
    values, vectors = eigsh(stiffness, count, mass, sigma=sigma)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    values = np.sort(values)
    if place == "below":
        both, mine = values[elastic], ours[elastic]
    else:
        # Amid the spectrum eigsh takes the nearest on both sides: compare what both have,
        # in order from the last mode that it has below the shift.
        values = values[values > 1e-6 * ours[-1]]
        both = values[values <= ours[-1] * (1 + 1e-9)]
        at = int(np.sum(ours < sigma)) - int(np.sum(both < sigma))
        mine = ours[at:at + len(both)]
    difference = float(np.max(np.abs(np.sqrt(both / mine) - 1)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak, "difference": difference,
                      "compared": len(both)}))


def measure(program, cells, modes, choices, runs):
    """Runs of both sides in turn."""
    names = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]

    def run(command, threads):
        environment = os.environ | {name: str(threads) for name in names}
        return subprocess.run(command, env=environment, capture_output=True, text=True,
                              check=True).stdout

    ours, theirs = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for number in choices:
                text = run([program, *cells, modes, folder], number)
                pairs = dict(re.findall(r"(wall_s|cpu_s|peak_mib) ([\d.]+)", text))
                ours.setdefault(number, []).append({
                    "wall": float(pairs["wall_s"]), "cpu": float(pairs["cpu_s"]),
                    "peak": float(pairs["peak_mib"])})
            for place in ["below", "amid"]:
                for number in choices:
                    text = run([sys.executable, __file__, "--scipy", folder, "--place", place,
                                "--modes", modes], number)
                    theirs.setdefault((place, number), []).append(json.loads(text))
    return ours, theirs


def judge(ours, theirs):
    """Medians, ratios and whether the promises hold."""
    def best_of(sides):
        return {k: min(statistics.median(r[k] for r in runs) for runs in sides.values())
                for k in ["wall", "cpu", "peak"]}

    middle, best = best_of(ours), best_of(theirs)
    difference = max(r["difference"] for runs in theirs.values() for r in runs)
    holds = (best["wall"] >= FASTER * middle["wall"] and best["cpu"] >= FASTER * middle["cpu"]
             and best["peak"] >= middle["peak"] and difference <= SAME)
    return {"ours": middle, "scipy": best, "difference": difference, "holds": holds}


def record(name, figure):
    """Appends a figure, if a file is named: one line of JSON."""
    path = os.environ.get("FOLEY_MEASURED")
    if path:
        line = {"id": name, "figure": repr(float(figure)), "command": "make bench-eigen"}
        with open(path, "a") as file:
            file.write(json.dumps(line) + "\n")


def record_all(results):
    """Appends the figures of both sizes: ratios of SciPy to Foley."""
    def ratio(size, key):
        return results[size]["scipy"][key] / results[size]["ours"][key]

    if "10k" in results:
        record("eigen.scipy_10k_wall", ratio("10k", "wall"))
        record("eigen.scipy_10k_cpu", ratio("10k", "cpu"))
        record("eigen.scipy_10k_memory", ratio("10k", "peak"))
    if "40k" in results:
        record("eigen.scipy_40k_wall", ratio("40k", "wall"))
        record("eigen.scipy_40k_cpu", ratio("40k", "cpu"))
        record("eigen.scipy_40k_memory", ratio("40k", "peak"))
    record("eigen.scipy_omega", max(result["difference"] for result in results.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="target/release/examples/solve_block")
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--modes", default="200")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--runs", type=int, help="instead of 3 small and 1 large")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--scipy", help=argparse.SUPPRESS)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.scipy:
        return scipy_run(arguments.scipy, int(arguments.modes), arguments.place)

    results = {}
    for size in arguments.sizes:
        cells, runs, single = SIZES[size]
        # Threads that wait for each other cost processor time: one thread is a choice.
        choices = sorted({1, arguments.threads} if single else {arguments.threads})
        ours, theirs = measure(arguments.program, cells, arguments.modes, choices,
                               arguments.runs or runs)
        results[size] = judge(ours, theirs)
        results[size]["runs"] = {"ours": ours, "scipy": {
            f"{place}, threads {number}": runs for (place, number), runs in theirs.items()}}
    record_all(results)
    if arguments.json:
        print(json.dumps(results, indent=1))
    else:
        print("unknowns              ours     scipy    ratio")
        for size, result in results.items():
            for key, unit in [("wall", "s"), ("cpu", "s"), ("peak", "MiB")]:
                mine, other = result["ours"][key], result["scipy"][key]
                print(f"{size:8} {key:5}{unit:4} {mine:8.2f}  {other:8.2f}  {other / mine:7.2f}")
            print(f"{size:8} largest difference of ω {result['difference']:.1e}, "
                  f"{'holds' if result['holds'] else 'DOES NOT HOLD'}")
    return 0 if all(result["holds"] for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
