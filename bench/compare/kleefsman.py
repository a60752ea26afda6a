#!/usr/bin/env python3
"""kleefsman.py RUN MEASURED.csv: a run of scenes/kleefsman.json beside the experiment.

MEASURED.csv has the columns t_s, P1_Pa ... P8_Pa, H1_m ... H4_m of SPHERIC's test 2 (Kleefsman et
al. 2005), averaged over 10 ms or not. Prints, for every gauge, the root mean square of the difference
over 0 to 6 s relative to the measured maximum, both maxima, and when the gauge is reached.
"""
import bisect
import csv
import sys


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {key: [float(row[key] or "nan") for row in rows] for key in rows[0]}


def at(times, values, t):
    """The value at time t, linear between the two nearest."""
    k = min(max(bisect.bisect(times, t), 1), len(times) - 1)
    part = (t - times[k - 1]) / (times[k] - times[k - 1])
    return values[k - 1] + min(max(part, 0.0), 1.0) * (values[k] - values[k - 1])


def first_above(times, values, limit):
    return next((t for t, v in zip(times, values) if v > limit), float("nan"))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    run, measured = read(sys.argv[1] + "/probes.csv"), read(sys.argv[2])
    print("gauge  rms/max  max: ours  measured  reached at: ours  measured")
    for gauge in ["H1", "H2", "H3", "H4"] + [f"P{k}" for k in range(1, 9)]:
        truth = measured[gauge + ("_m" if gauge[0] == "H" else "_Pa")]
        column = next((c for c in run if c.split(" ")[0] == gauge), None)
        if column is None:
            sys.exit(f"{sys.argv[1]}: probes.csv has no column {gauge}")
        ours = [0.0 if v != v else v for v in run[column]]  # no water: no level
        most = max(truth)
        squares = [(at(run["time"], ours, t) - v) ** 2 for t, v in zip(measured["t_s"], truth)
                   if t <= run["time"][-1]]
        rms = (sum(squares) / len(squares)) ** 0.5 / most
        limit = 0.05 * most if gauge != "H4" else float("inf")
        print(f"{gauge:5}  {rms:7.3f}  {max(ours):9.4g}  {most:8.4g}  "
              f"{first_above(run['time'], ours, limit):16.3f}  "
              f"{first_above(measured['t_s'], truth, limit):8.3f}")


if __name__ == "__main__":
    main()
