"""launch.py PROGRAM.exe [ARGUMENT...]: becomes a Windows program under Wine, with the arguments of
this system: class paths separated by colons. Absolute paths need nothing: the program's current
drive is Z:, whose root is this system's. WINE names Wine's loader."""

import os
import sys

CLASS_PATH_OPTIONS = ("-cp", "-classpath", "--class-path")


def windows_arguments(arguments):
    """The arguments; of class paths the entries are separated as Windows does."""
    translated = []
    for before, argument in zip(["", *arguments], arguments):
        translated.append(argument.replace(":", ";") if before in CLASS_PATH_OPTIONS else argument)
    return translated


if __name__ == "__main__":
    WINE = os.environ["WINE"]
    os.execvp(WINE, [WINE, *windows_arguments(sys.argv[1:])])
