package hprof.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The system and the CPU of this JVM. */
final class Platform {
	/** Of the ABI for 64-bit x86: programs of glibc name it at this path. */
	private static final Path GLIBC_LOADER = Path.of("/lib64/ld-linux-x86-64.so.2");

	private Platform() {
	}

	/** As directories of the jar are named, such as linux-x64. */
	static String name() {
		String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
		String cpu = System.getProperty("os.arch");
		return system.replace(' ', '-') + "-" + (cpu.equals("amd64") || cpu.equals("x86_64") ? "x64" : cpu);
	}

	/** Without it, the system would report that the command itself does not exist. */
	static void requireLoader() throws Refusal {
		if (!Files.exists(GLIBC_LOADER))
			throw Refusal.wrongJar("this system has no " + GLIBC_LOADER
					+ ": the command and the agent require glibc; use an image with glibc, such as Debian's");
	}
}
