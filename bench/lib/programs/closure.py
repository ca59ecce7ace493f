"""The Closure compiler at work on four JavaScript libraries."""

from lib.fetch import Package, fetch
from lib.programs.program import SMALL, Program, digest_of_files

MAIN_CLASS = "com.google.javascript.jscomp.CommandLineRunner"
HEAP = "-Xmx2g"
TENTH = "jquery"
SMALL_MODULE = "chunk.js"  # of lodash

PACKAGES = [
    Package("google-closure-compiler-java", "20240317.0.0", "compiler.jar",
            "cff3836ed826a326ca89e4d2be8422018ea499a813ae5bfc8d83ce8e5981afc2"),
    Package("lodash", "4.17.21", "lodash.js",
            "6a087ac9e5702a0c9d60fbcd48696012646ec8df1491dea472b150e79fcaf804"),
    Package("jquery", "3.7.1", "dist/jquery.js",
            "68a9f787516da47c680e09c187bcbac4536b6f85d90eb882844e12919e583f53"),
    Package("three", "0.128.0", "build/three.js",
            "df6a5d06dcd9a361831669f1b6dd081b2a43f9933d7b16de532417cc8d7c6153"),
    Package("d3", "7.9.0", "dist/d3.js",
            "7e36605710a2ba54846797c8c6d888911341b215ae53257dc32a49a0b824355e"),
]


class Workload:
    """The compiler and what it compiles: all libraries, or one that has 11% of their bytes."""

    def __init__(self, tenth=False):
        wanted = [package for package in PACKAGES
                  if not tenth or package.name in (PACKAGES[0].name, TENTH)]
        self.jar, *self.libraries = [fetch(package) for package in wanted]

    def arguments(self, output):
        """The compiler's own arguments."""
        inputs = [word for library in self.libraries for word in ("--js", str(library))]
        return ["--language_out", "ECMASCRIPT_2015", *inputs, "--js_output_file", str(output)]


class Closure(Program):
    """The workload as a program of the suite."""

    name = "closure"
    version = PACKAGES[0].version

    def prepare(self, jdks):
        Workload()

    def arguments(self, size):
        workload = Workload()
        if size == SMALL:
            workload.libraries = [fetch(PACKAGES[1], SMALL_MODULE)]
        return [HEAP, "-jar", str(workload.jar), *workload.arguments("out.js")]

    def digest(self, directory):
        return digest_of_files(directory, "out.js")
