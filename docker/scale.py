#!/usr/bin/env python3
"""Measures the campaign commands for different numbers of candidates and results; docs/scale.md shows the output.

    go build -o purexp ./cmd/purexp && python3 docker/scale.py ./purexp [CANDIDATES,...] [RESULTS,...]

The problem has two noisy objectives with bounds and tolerances, a known price, and random candidates. For each command,
the program prints the processor time, the peak memory and the time to the first byte of output. The time limit of a
command is two minutes.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROBLEM = """[question]
find = "pareto"
delta = 0.05
[candidates]
file = "p.csv"
column = "name"
[[objective]]
name = "yield"
goal = "maximise"
noise = { sd = 2.0 }
at_least = 40
tolerance = 1.0
slack = 1.0
guess = "y"
[[objective]]
name = "impurity"
goal = "minimise"
noise = { sd = 0.5 }
at_most = 4
tolerance = 0.25
slack = 0.25
guess = "i"
[[objective]]
name = "price"
goal = "minimise"
known = true
[method]
name = "e-cAPE"
[laboratory]
plate = 8
days = 0.5
"""


def measured(*command):
    """Runs a command. Returns the processor time in s, the peak memory in MB, the time to the first byte in s, and any error."""
    begun, first = time.monotonic(), None
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    signal.signal(signal.SIGALRM, lambda *_: child.kill())
    signal.alarm(120)
    while block := os.read(child.stdout.fileno(), 1 << 16):
        first, last = first or time.monotonic() - begun, block
    _, status, used = os.wait4(child.pid, 0)
    signal.alarm(0)
    child.returncode = os.waitstatus_to_exitcode(status)
    end = "" if child.returncode in (0, 10, 11) else f" exit {child.returncode}: {last[-200:] if first else b''}"
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, first or 0, end


def main():
    program = os.path.abspath(sys.argv[1])
    candidates, results = ([int(x) for x in text.split(",")] for text in (sys.argv[2:] + ["10,100,1000,10000", "10,1000,100000"][len(sys.argv) - 2:])[:2])
    print("| candidates | results | command | processor time | memory | first output |\n|---:|---:|---|---:|---:|---:|")
    for k in candidates:
        for n in results:
            draw = random.Random(f"{k} {n}")
            means = [(draw.uniform(35, 90), draw.uniform(.5, 6), draw.randint(5, 99)) for _ in range(k)]
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                with open("p.toml", "w") as f:
                    f.write(PROBLEM)
                with open("p.csv", "w") as f:
                    f.write("name,y,i,price\n" + "".join(f"C{i:05},{y:.1f},{p:.2f},{c}\n" for i, (y, p, c) in enumerate(means)))
                with open("r.csv", "w") as f:
                    f.write("name,yield,impurity\n")
                    for i in range(min(n, 99_999)):  # purexp accepts tables of at most 100 000 lines
                        y, p, _ = means[i % k]
                        f.write(f"C{i % k:05},{draw.gauss(y, 2):.2f},{draw.gauss(p, .5):.3f}\n")
                for words in ("new p.toml", "tell r.csv --batch b", "ask --plate 8", "status", "report -o r.html", "plan"):
                    if words == "plan" and (n != results[0] or "noplan" in sys.argv):
                        continue
                    cpu, memory, first, end = measured(program, "campaign", *words.split())
                    print(f"| {k} | {n} | {words.split()[0]} | {cpu:.2f} s | {memory:.0f} MB | {first:.2f} s |{end}", flush=True)
                os.chdir("/")


if __name__ == "__main__":
    main()
