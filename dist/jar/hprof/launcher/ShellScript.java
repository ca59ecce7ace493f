package hprof.launcher;

/** A script in ASCII that runs the program $0 in its place, with arguments of any bytes. */
final class ShellScript {
	private ShellScript() {
	}

	static String running(byte[][] arguments) {
		StringBuilder script = new StringBuilder("set --\n");
		for (byte[] argument : arguments) {
			/* A command substitution drops newlines at the end: a dot is there, and removed. */
			script.append("a=$(printf '");
			for (byte letter : argument)
				script.append('\\').append(octal(letter));
			script.append("\\056'); set -- \"$@\" \"${a%.}\"\n");
		}
		return script.append("exec \"$0\" \"$@\"").toString();
	}

	private static String octal(byte letter) {
		return Integer.toOctalString(0x200 | (letter & 0xff)).substring(1);
	}
}
