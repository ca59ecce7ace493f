package hprof.launcher;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs the hprof command that is in this jar, with all arguments. The jar's own: `--libpath` alone
 * prints where the agent's library is, for an -agentpath that another program writes.
 */
public final class Main {
	private Main() {
	}

	public static void main(String[] arguments) {
		System.exit(exitCode(arguments));
	}

	private static int exitCode(String[] arguments) {
		try {
			return run(arguments);
		} catch (Refusal refusal) {
			System.err.println(refusal.line());
			return refusal.exitCode();
		}
	}

	private static int run(String[] arguments) throws Refusal {
		try (Bundle bundle = Bundle.open(Platform.name())) {
			Platform.requireLoader();
			Path directory = Installation.find(bundle);
			if (arguments.length == 1 && arguments[0].equals("--libpath")) {
				System.out.println(directory.resolve(Bundle.LIBRARY));
				return 0;
			}
			return Command.run(directory.resolve(Bundle.COMMAND).toString(), arguments);
		} catch (IOException error) {
			throw new Refusal("can't read the jar: " + Reason.of(error) + "; get it once more");
		}
	}
}
