"""The programs of the suite."""

from lib.programs.batik import Batik
from lib.programs.closure import Closure
from lib.programs.compilers import Ecj, Javac
from lib.programs.fop import Fop
from lib.programs.h2 import H2
from lib.programs.http import Http
from lib.programs.jython import Jython

PROGRAMS = [Closure(), Javac(), Ecj(), Fop(), Batik(), H2(), Jython(), Http()]
