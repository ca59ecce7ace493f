"""System calls that fail, as under the filters of containers: a function for a process to call before
it becomes the program."""

import ctypes
import errno
import platform
import resource

import pytest

from .builds import PLATFORM

# By machine. openat2 has the same number on all.
NUMBERS = {"x86_64": {"perf_event_open": 298, "timer_create": 222, "openat2": 437},
           "aarch64": {"perf_event_open": 241, "timer_create": 107, "openat2": 437}}
CALLS = tuple(NUMBERS["x86_64"])

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
RET_ALLOW, RET_ERRNO = 0x7fff0000, 0x00050000
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06


class Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("if_true", ctypes.c_uint8), ("if_false", ctypes.c_uint8),
                ("value", ctypes.c_uint32)]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(Instruction))]


def _filter(numbers, error):
    """A filter under which these system calls fail with that error."""
    steps = [Instruction(LOAD_WORD, 0, 0, 0)]  # the number is the first word of seccomp_data
    for number in numbers:
        steps += [Instruction(JUMP_IF_EQUAL, 0, 1, number),
                  Instruction(RETURN, 0, 0, RET_ERRNO | error)]
    steps.append(Instruction(RETURN, 0, 0, RET_ALLOW))
    return (Instruction * len(steps))(*steps)


def refuse(calls, error=errno.EPERM, queued_signals=None):
    """A preexec for Runner.start(): calls fail, and no more signals can be queued than that."""
    if not PLATFORM.startswith("linux") or platform.machine() not in NUMBERS:
        pytest.skip("no filter of system calls for this system")
    numbers = NUMBERS[platform.machine()]
    steps = _filter([numbers[call] for call in calls], error)
    program = Program(len(steps), steps)
    libc = ctypes.CDLL(None, use_errno=True)

    def before_exec():
        if queued_signals is not None:
            resource.setrlimit(resource.RLIMIT_SIGPENDING, (queued_signals, queued_signals))
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or \
                libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)) != 0:
            raise OSError(ctypes.get_errno(), "seccomp")
    return before_exec
