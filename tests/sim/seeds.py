#!/usr/bin/env python3
"""Runs the simulation with one seed after another.

    seeds.py PROGRAM [--seeds 1-20 | --fresh SECONDS] [--jobs N] [--twice] [--finds] [OPTION …]

Prints the last line of each run. A seed that fails is shown whole, and the list of its faults is
shortened to the few that matter: halves are left out as long as it fails. The exit status is 1 if
one has failed. --fresh: new seeds for so long. --twice: each seed must give the same hash again.
--finds: of a program with a fault of its own, the first seed that fails is what is looked for, and
its number is printed; the exit status is 1 if there is none.
"""

import argparse
import concurrent.futures
import itertools
import os
import random
import re
import subprocess
import sys
import time

RUN_TIME_MAX_S = 600  # against hanging alone


def run(program, seed, options, only=None):
    command = [program, "--seed", str(seed), *options]
    if only is not None:
        command += ["--only", ",".join(map(str, only))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_TIME_MAX_S)
    except subprocess.TimeoutExpired:
        return 124, f"seed {seed}: has not ended after {RUN_TIME_MAX_S} s"
    return done.returncode, done.stdout + done.stderr


def summary(output):
    lines = [line for line in output.splitlines() if line.startswith("seed ")]
    return lines[-1] if lines else output.strip()[-200:]


def hash_of(output):
    found = re.search(r"hash (\w+)", output)
    return found and found[1]


def shorten(program, seed, options, output):
    """The numbers of as few faults as this seed still fails with."""
    found = re.search(r"(\d+) faults", output)
    left = list(range(int(found[1]))) if found else []
    size = len(left) // 2
    while size >= 1:
        for begin in range(0, len(left), size):
            fewer = left[:begin] + left[begin + size:]
            if fewer and run(program, seed, options, fewer)[0] != 0:
                left = fewer
                break
        else:
            size //= 2
    return left


def check(program, seed, options, twice):
    status, output = run(program, seed, options)
    if status == 0 and twice:
        again = run(program, seed, options)[1]
        if hash_of(output) != hash_of(again):
            return 1, output + f"\nseed {seed} gave another hash: {summary(again)}"
    return status, output


def seeds_of(arguments):
    if arguments.fresh is None:
        first, _, last = arguments.seeds.partition("-")
        yield from range(int(first), int(last or first) + 1)
        return
    end = time.monotonic() + arguments.fresh
    while time.monotonic() < end:
        yield random.SystemRandom().randrange(1, 10**9)


def find(arguments):
    for number, seed in enumerate(seeds_of(arguments), start=1):
        status, output = run(arguments.program, seed, arguments.options)
        if status != 0 and "VIOLATED" not in output:
            sys.exit(f"{arguments.program} failed: {output[-600:]}")
        if status != 0:
            print(f"{os.path.basename(arguments.program)}: found in {number} seeds: {seed}")
            print("\n".join(line for line in output.splitlines() if "VIOLATED" in line)[:600])
            return 0
    print(f"{os.path.basename(arguments.program)}: not found")
    return 1


def check_all(arguments):
    failed = []
    seeds = seeds_of(arguments)
    # A simulation stays on the processor that it began on: two that began on one would share it.
    processors = itertools.cycle(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(
            arguments.jobs,
            initializer=lambda: os.sched_setaffinity(0, {next(processors)})) as pool:
        def one(seed):
            return seed, *check(arguments.program, seed, arguments.options, arguments.twice)

        running = set()
        while True:
            while len(running) < arguments.jobs and (seed := next(seeds, None)) is not None:
                running.add(pool.submit(one, seed))
            if not running:
                break
            done, running = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED)
            for each in done:
                seed, status, output = each.result()
                print(summary(output), flush=True)
                if status != 0:
                    failed.append((seed, output))
    for seed, output in failed[:3]:
        print(f"\nseed {seed} failed:\n{output[-4000:]}")
        few = shorten(arguments.program, seed, arguments.options, output)
        print(f"with these faults alone: --seed {seed} --only {','.join(map(str, few))}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--fresh", type=float)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--finds", action="store_true")
    arguments, arguments.options = parser.parse_known_args()
    return find(arguments) if arguments.finds else check_all(arguments)


if __name__ == "__main__":
    sys.exit(main())
