"""Stand-ins for the shared libraries of glibc, to link with: each symbol in its newest version that an
old glibc has.

    old_glibc.py VERSION CC DIRECTORY LIBRARY...

The linker gives a program the version of a symbol that the library it is linked with has as its
default. A program that is linked with these files instead of the build machine's glibc runs with
glibc VERSION and all later ones, which keep every old version. Symbols that are newer have none here:
linking fails and names them, except those that old_glibc.c defines.

LIBRARY... are the build machine's own libraries, from which the symbols are read. A stand-in has no
code, only names. Functions that were in libraries of their own before glibc 2.34 are put back there,
so that a program names these libraries as it needs them.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# What was in these libraries until glibc 2.34 moved it to libc.so.6.
FORMER = (("libpthread.so.0", re.compile(r"(pthread|sem)_")),
          ("libdl.so.2", re.compile(r"dl(open|close|sym|vsym|addr1?|error|info|mopen)$")),
          ("librt.so.1", re.compile(r"(timer|aio|mq|shm)_")))
SYMBOL = re.compile(r"^\s*\d+: [0-9a-f]+\s+(\d+)\s+(FUNC|OBJECT|IFUNC|TLS|NOTYPE)\s+(GLOBAL|WEAK)\s+\S+\s+(\w+)\s+"
                    r"(\w+)@@?GLIBC_([0-9.]+)(?:\s|$)")


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def symbols_of(library, most):
    """name -> (version, type, size): the newest version that is not newer than `most`."""
    found = {}
    listing = subprocess.run(["readelf", "--dyn-syms", "--wide", library], check=True, capture_output=True, text=True)
    for line in listing.stdout.splitlines():
        match = SYMBOL.match(line)
        if not match or match[4] == "UND":
            continue
        size, kind, _, _, name, version = match.groups()
        if numbers(version) <= most and numbers(version) > numbers(found.get(name, ("0",))[0]):
            found[name] = (version, kind, int(size))
    return found


def assembly(name, kind, size):
    """The symbol with its type, and with the size that a program's copy of an object has."""
    section, kind = {"OBJECT": (".data", "object"), "TLS": ('.section .tdata,"awT",@progbits', "tls_object")}.get(
        kind, (".text", "function"))
    return f"{section}\n.globl {name}\n.type {name},@{kind}\n.size {name},{size}\n{name}: .zero {size or 1}\n"


def write_stand_in(soname, symbols, compiler, directory):
    names = defaultdict(list)
    for name, (version, _, _) in symbols.items():
        names[version].append(name)
    source = directory / f"{soname}.s"
    source.write_text("".join(assembly(name, kind, size) for name, (_, kind, size) in symbols.items())
                      + '.section .note.GNU-stack,"",%progbits\n')
    versions = directory / f"{soname}.map"
    versions.write_text("".join(f"GLIBC_{version} {{ global: {'; '.join(names[version])}; }};\n" for version in names))
    subprocess.run([compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script,{versions}",
                    "-o", directory / soname, source], check=True)


def main(version, compiler, directory, *libraries):
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    stand_ins = defaultdict(dict)
    for library in libraries:
        soname = Path(library).name
        for name, symbol in symbols_of(library, numbers(version)).items():
            home = next((former for former, names in FORMER if soname == "libc.so.6" and names.match(name)), soname)
            stand_ins[home][name] = symbol
    for soname, symbols in stand_ins.items():
        write_stand_in(soname, symbols, compiler, directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
