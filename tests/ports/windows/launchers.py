"""launchers.py DIRECTORY PROGRAM.exe... IMAGE...: makes programs of this system in DIRECTORY that
start Windows programs under Wine (launch.py): bin/PROGRAM, and for each image of a JDK for Windows a
home with those of its bin directory. Prints the homes, separated by colons, as HPROF_TEST_JDKS takes
them."""

import shlex
import shutil
import sys
from pathlib import Path

LAUNCH = Path(__file__).with_name("launch.py")


def write_launcher(directory, program):
    directory.mkdir(parents=True, exist_ok=True)
    launcher = directory / program.stem
    words = shlex.join([sys.executable, str(LAUNCH), str(program)])
    launcher.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)


def make_home(home, image):
    if not (image / "bin" / "java.exe").is_file():
        raise SystemExit(f"{image} has no bin/java.exe: name the directory of an image of a JDK")
    for program in image.glob("bin/*.exe"):
        write_launcher(home / "bin", program)
    shutil.copy(image / "release", home)


def main(directory, *named):
    shutil.rmtree(directory, ignore_errors=True)
    homes = []
    for path in (Path(name).resolve() for name in named):
        if path.suffix == ".exe":
            write_launcher(directory / "bin", path)
        else:
            homes.append(directory / f"jdk-{len(homes) + 1}")
            make_home(homes[-1], path)
    print(":".join(map(str, homes)))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
