package hprof.launcher;

/** Why the command is not run, and what to do about it. */
final class Refusal extends Exception {
	private static final long serialVersionUID = 1;
	private static final int EXIT_FAILED = 1;
	private static final int EXIT_USAGE = 2;

	private final int exitCode;

	private Refusal(int exitCode, String message) {
		super(message);
		this.exitCode = exitCode;
	}

	Refusal(String message) {
		this(EXIT_FAILED, message);
	}

	/** This jar is the wrong one here. */
	static Refusal wrongJar(String message) {
		return new Refusal(EXIT_USAGE, message);
	}

	int exitCode() {
		return exitCode;
	}

	/** As the command prints it: one line, whatever is in the names of files. */
	String line() {
		StringBuilder line = new StringBuilder("hprof: ");
		for (char letter : getMessage().toCharArray())
			line.append(Character.isISOControl(letter) ? '?' : letter);
		return line.toString();
	}
}
