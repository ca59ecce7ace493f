"""zip_tree.py DIRECTORY SECONDS ZIP: packs a directory, with its own name, so that the same files give the
same bytes: in the order of their names, each with that time after 1970 in UTC, which is not before 1980."""

import sys
import time
import zipfile
from pathlib import Path

PROGRAMS = (".exe", ".dll")
UNIX = 3  # whose permissions an entry then has


def entry(name, seconds):
    info = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
    info.create_system = UNIX
    info.external_attr = (0o100755 if name.endswith(PROGRAMS) else 0o100644) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def main(directory, seconds, path):
    files = sorted((file.relative_to(directory.parent).as_posix(), file)
                   for file in directory.rglob("*") if file.is_file())
    with zipfile.ZipFile(path, "w") as archive:
        for name, file in files:
            archive.writestr(entry(name, seconds), file.read_bytes(), compresslevel=9)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
