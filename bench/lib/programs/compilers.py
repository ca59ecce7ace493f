"""Two Java compilers at work on the sources of a library, which are the same for all JDKs."""

import zipfile

from lib.fetch import Jar, fetch_jar
from lib.programs.program import FULL, SMALL, Program, digest_of_files
from lib.workplace import WORK

SOURCES = Jar("org.apache.commons", "commons-collections4", "4.4",
              "93b4ff13ee810830a247dfa83bf5b73c401a591af4c11f3efb9b9da581e70452", "sources")
ECJ = Jar("org.eclipse.jdt", "ecj", "3.37.0",
          "cde026ff966b48b5e5f148b6f041ceff3cf4f85cf75155f4ec0f40e4ee14b545")
# A package that the small size compiles, with what it needs of the others.
SMALL_PACKAGE = "org/apache/commons/collections4/sequence/"
RELEASE = "11"


def unpacked_sources():
    """The directory of the library's sources."""
    archive = fetch_jar(SOURCES)
    directory = WORK / "sources"
    if not directory.is_dir():
        partial = directory.with_name("sources.part")
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(partial)
        partial.rename(directory)
    return directory


class Compiler(Program):
    """Common to both: their options have the same names."""

    def prepare(self, jdks):
        root = unpacked_sources()
        names = sorted(str(path.relative_to(root)) for path in root.rglob("*.java")
                       if path.name != "package-info.java")
        for size in (FULL, SMALL):
            chosen = [str(root / name) for name in names
                      if size != SMALL or name.startswith(SMALL_PACKAGE)]
            self._list(size).write_text("\n".join(chosen) + "\n", encoding="utf-8")

    @staticmethod
    def _list(size):
        return WORK / f"sources-{size}.txt"

    def launcher(self):
        """What starts the compiler."""
        raise NotImplementedError

    def arguments(self, size):
        return [*self.launcher(), "-proc:none", "-nowarn", "--release", RELEASE, "-encoding",
                "UTF-8", "-sourcepath", str(unpacked_sources()), "-d", "classes",
                f"@{self._list(size)}"]

    def digest(self, directory):
        return digest_of_files(directory / "classes", "*.class")


class Javac(Compiler):
    """The JDK's compiler."""

    name = "javac"
    version = "the JDK's"

    def launcher(self):
        return ["-m", "jdk.compiler/com.sun.tools.javac.Main"]


class Ecj(Compiler):
    """Eclipse's compiler."""

    name = "ecj"
    version = ECJ.version

    def prepare(self, jdks):
        fetch_jar(ECJ)
        super().prepare(jdks)

    def launcher(self):
        return ["-jar", str(fetch_jar(ECJ))]
