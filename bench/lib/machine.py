"""What is measured on."""

import os
import re
from pathlib import Path


def load():
    """The load average of the last minute."""
    return round(os.getloadavg()[0], 2)


def describe():
    """The machine, for the record of a measurement."""
    cpus = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"),
                     re.M)
    memory = re.search(r"^MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text(encoding="ascii"),
                       re.M)
    system = os.uname()
    return {"cpu": cpus[1] if cpus else system.machine, "cpus": os.cpu_count(),
            "memory_mb": int(memory[1]) // 1024, "kernel": system.release,
            "architecture": system.machine, "load_at_start": load()}


def show_machine(jdks):
    """Prints the machine and the JDKs."""
    print(f"machine: {os.cpu_count()} CPUs, load average {load():.2f} at the start, "
          f"{os.uname().machine}")
    for jdk in jdks:
        print(f"JDK {jdk.version}: {jdk.home}")
