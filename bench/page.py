"""CPU time that a browser's main thread needs to load the page of a profile; see README.md
beside this file.

    HPROF_AGENT=build/libhprof.so python3 bench/page.py              # javac, and 100,000 traces
    HPROF_AGENT=build/libhprof.so python3 bench/page.py PAGE.html... # these pages
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from lib.agents import agent_original
from lib.jdks import add_jdk_option, find_jdks
from lib.workplace import ROOT, WORK, BenchError

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from support.chromium import Chromium  # noqa: E402 pylint: disable=wrong-import-position

LOADS = 7
SETTLED_S = 0.5  # without a task of the main thread; longer than any delay of the page
WAIT_S = 120
FILES = 1800
TRACES = 100_000
METHODS = 5_000
MEAN_DEPTH = 30
SEED = 1


# ---- profiles ------------------------------------------------------------------


def sources(jdk, directory):
    """FILES sources of the JDK's java.base, unpacked."""
    archive = jdk.home / "lib" / "src.zip"
    if not archive.is_file():
        raise BenchError(f"{jdk.home} has no lib/src.zip")
    with zipfile.ZipFile(archive) as packed:
        names = sorted(name for name in packed.namelist()
                       if name.startswith(("java.base/java/", "java.base/sun/", "java.base/jdk/"))
                       and name.endswith(".java") and "-info" not in name)[:FILES]
        packed.extractall(directory, names)
    return [directory / name for name in names]


def profile_of_javac(jdk, directory):
    """javac over the sources, all its stacks in a text file."""
    profile = directory / "javac.txt"
    profile.unlink(missing_ok=True)
    files = directory / "files.txt"
    files.write_text("\n".join(map(str, sources(jdk, directory / "src"))))
    options = f"cpu=samples,interval=1,depth=1024,cutoff=0,timeline=y,thread=y,verbose=n,file={profile}"
    subprocess.run([jdk.home / "bin" / "java", f"-agentpath:{agent_original()}={options}", "-m",
                    "jdk.compiler/com.sun.tools.javac.Main", "-proc:none", "-nowarn", "--patch-module",
                    f"java.base={directory / 'src' / 'java.base'}", "-d", directory / "classes", f"@{files}"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600)
    if not profile.is_file():
        raise BenchError("javac left no profile")
    return profile


def made_profile(directory):
    """TRACES different stacks in a text file: random walks through a program's calls."""
    chance = random.Random(SEED)
    names = [f"com.acme.part{number % 40}.Class{number % 700}.method{number}" for number in range(METHODS)]
    lines = ["JAVA PROFILE 1.0.1, created Tue Nov 24 14:03:00 2026", "", "--------", "",
             'THREAD START (obj=5000, id = 200001, name="main", group="main")']
    rows = []
    for trace in range(TRACES):
        stack = [0]
        while len(stack) < 4 or chance.random() > 1 / MEAN_DEPTH:
            stack.append((stack[-1] * 7 + chance.choice((1, 1, 1, 2, 3, 5))) % METHODS)
        lines.append(f"TRACE {300001 + trace}:")
        lines += [f"\t{names[method]}(Some.java:{method % 900})" for method in reversed(stack)]
        rows.append((1 + int(chance.expovariate(0.2)), 300001 + trace, names[stack[-1]]))
    rows.sort(key=lambda row: -row[0])
    total = sum(row[0] for row in rows)
    lines += [f"CPU SAMPLES BEGIN (total = {total}) Tue Nov 24 14:03:02 2026",
              "rank   self  accum   count trace method"]
    so_far = 0
    for rank, (count, trace, name) in enumerate(rows, 1):
        so_far += count
        lines.append(f"{rank:4} {100 * count / total:5.2f}% {100 * so_far / total:5.2f}% {count:7} {trace} {name}")
    profile = directory / "made.txt"
    profile.write_text("\n".join([*lines, "CPU SAMPLES END"]) + "\n")
    return profile


def page_of(profile):
    page = profile.with_suffix(".html")
    page.unlink(missing_ok=True)
    subprocess.run([agent_original().with_name("hprof"), "report", "-o", page, profile], check=True)
    print(f"{page}: {page.stat().st_size / 1e6:.2f} MB, {100 * page.stat().st_size / profile.stat().st_size:.1f}% "
          "of the profile", flush=True)
    return page


# ---- the browser ------------------------------------------------------------------


def main_thread_s(browser):
    """CPU time of the main thread's tasks so far, of the page in front."""
    metrics = browser.cdp("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


def load(browser, page):
    """Seconds of main-thread CPU until the page is loaded and at rest, in a new tab."""
    driver = browser.driver
    driver.switch_to.new_window("tab")
    browser.cdp("Performance.enable", timeDomain="threadTicks")
    driver.get(Path(page).resolve().as_uri())
    end = time.monotonic() + WAIT_S
    before = -1.0
    now = main_thread_s(browser)
    while now - before > 0.002:  # what asking costs
        if time.monotonic() > end:
            raise BenchError(f"{page} is not at rest after {WAIT_S} s")
        time.sleep(SETTLED_S)
        before, now = now, main_thread_s(browser)
    errors = [line["message"] for line in driver.get_log("browser")]
    driver.close()
    driver.switch_to.window(driver.window_handles[0])
    if errors:
        raise BenchError(f"{page}: {errors}")
    return now


def measure(pages):
    """Loads the pages in turn."""
    browser = Chromium()
    try:
        times = {page: [] for page in pages}
        for _ in range(LOADS):
            for page in pages:
                times[page].append(load(browser, page))
    finally:
        browser.close()
    for page, seconds in times.items():
        print(f"{page}: {statistics.median(seconds):.2f} s of the main thread "
              f"({min(seconds):.2f}-{max(seconds):.2f}, {LOADS} loads)")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    add_jdk_option(parser)
    options = parser.parse_args()
    try:
        if why := Chromium.missing():
            raise BenchError(why)
        pages = options.pages
        if not pages:
            directory = WORK / "page"
            directory.mkdir(parents=True, exist_ok=True)
            pages = [page_of(profile_of_javac(find_jdks(options.jdk)[-1], directory)),
                     page_of(made_profile(directory))]
        measure(pages)
    except BenchError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")


if __name__ == "__main__":
    main()
