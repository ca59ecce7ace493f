package hprof.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The command line for a program of the same arguments. In a locale such as C, Java loses the bytes
 * of letters that are not ASCII when it makes strings of arguments; the system still has them.
 */
final class RawArguments {
	private RawArguments() {
	}

	/** The program and its arguments. If one has other bytes than ASCII, a shell makes them. */
	static void add(List<String> line, String program, String[] arguments) {
		byte[][] raw = read(arguments.length);
		if (raw == null) {
			line.add(program);
			line.addAll(List.of(arguments));
			return;
		}
		line.add("/bin/sh");
		line.add("-c");
		line.add(ShellScript.running(raw));
		line.add(program);
	}

	/** Null if all is ASCII, which Java passes unharmed, or if the system does not show the bytes. */
	private static byte[][] read(int count) {
		byte[] all;
		try {
			all = Files.readAllBytes(Path.of("/proc/self/cmdline"));
		} catch (IOException error) {
			return null;
		}
		byte[][] last = new byte[count][];
		int end = all.length - 1;
		boolean isAscii = true;
		for (int i = count - 1; i >= 0; i--) {
			int start = end;
			while (start > 0 && all[start - 1] != 0) {
				start--;
				isAscii &= all[start] >= 0;
			}
			if (start == 0)
				return null;
			last[i] = Arrays.copyOfRange(all, start, end);
			end = start - 1;
		}
		return isAscii ? null : last;
	}
}
