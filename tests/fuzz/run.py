"""Runs fuzzers one after the other and prints what they did.

    run.py BUILD SECONDS 'NAME FLAGS'...

NAME_fuzz is in BUILD; its seeds are in seeds/NAME beside this file. Exit code 1 when one
of them failed; the input that made it fail is in BUILD/failed.
"""

import re
import subprocess
import sys
from pathlib import Path

SEEDS = Path(__file__).resolve().parent / "seeds"


def _last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(build, seconds, name, flags):
    """Runs one; its row of the table and whether it failed."""
    command = [build / f"{name}_fuzz", f"-max_total_time={seconds}",
               f"-artifact_prefix={build}/failed/{name}-", *flags,
               build / "found" / name, SEEDS / name]
    done = subprocess.run([*map(str, command)], capture_output=True, check=False)
    text = done.stderr.decode("utf-8", "replace")
    (build / f"{name}.log").write_text(text, encoding="utf-8")
    executed = _last(r"stat::number_of_executed_units: +(\d+)", text)
    row = (f"{name:10} {executed:12} {_last('cov: ([0-9]+)', text):8} "
           f"{_last('ft: ([0-9]+)', text):9} {'failed' if done.returncode else 'none':>8}")
    if done.returncode:
        print(text[-4000:], flush=True)
    return row, done.returncode != 0


def main():
    build, seconds = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    rows, failed = [], False
    for argument in sys.argv[3:]:
        name, *flags = argument.split()
        row, bad = fuzz(build, seconds, name, flags)
        print(row, flush=True)
        rows.append(row)
        failed |= bad
    print(f"\n{seconds} s each\n{'input':10} {'executions':>12} {'edges':>8} {'features':>9} "
          f"{'findings':>8}")
    print("\n".join(rows))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
