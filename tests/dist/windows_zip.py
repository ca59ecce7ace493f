"""windows_zip.py ZIP DIRECTORY: unpacks what `make dist` gives for Windows into a new directory, and checks
its names, times, ends of lines and the links of its README.md."""

import re
import shutil
import sys
import zipfile
from pathlib import Path

NEEDED = ("README.md", "README-windows.txt", "LICENSE.txt", "CHANGELOG.md", "SECURITY.md", "bin/hprof.exe",
          "bin/hprof.dll", "man/hprof.1.txt", "man/hprof-agent.7.txt", "docs/TROUBLESHOOTING.md",
          "docs/licenses/zlib.txt", "docs/licenses/mingw-w64.txt")
OF_SOURCES = {"CONTRIBUTING.md", "bench/README.md", "src/README.md", "tests/README.md"}  # not packed
TEXTS = (".md", ".txt")


def check(condition, reason):
    if not condition:
        raise SystemExit(f"windows_zip.py: {reason}")


def check_entries(archive, root):
    names = archive.namelist()
    check(names == sorted(set(names)), "the names are not in order")
    check(all(name.startswith(f"{root}/") for name in names), f"not all files are in {root}")
    check(len({info.date_time for info in archive.infolist()}) == 1, "the files have several times")


def check_text(file):
    data = file.read_bytes()
    check(data.count(b"\n") > 1 and data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r"),
          f"{file} has other ends of lines than CR LF")
    data.decode("utf-8")


def check_links(readme):
    links = set(re.findall(r"\]\(([^)#:]+)", readme.read_text(encoding="utf-8")))
    missing = {link for link in links if not (readme.parent / link).exists()}
    check(missing <= OF_SOURCES, f"links of README.md without a file: {sorted(missing - OF_SOURCES)}")
    check(links - OF_SOURCES, "README.md has no links")


def main(path, directory):
    shutil.rmtree(directory, ignore_errors=True)
    root = directory / path.stem
    with zipfile.ZipFile(path) as archive:
        check_entries(archive, path.stem)
        archive.extractall(directory)
    missing = [name for name in NEEDED if not (root / name).is_file()]
    check(not missing, f"these files are missing: {missing}")
    for file in root.rglob("*"):
        if file.suffix in TEXTS:
            check_text(file)
    check_links(root / "README.md")
    check("VERSION" not in (root / "README-windows.txt").read_text(encoding="utf-8"),
          "README-windows.txt does not name its version")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
