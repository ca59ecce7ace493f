package hprof.launcher;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The command as a process with the streams of this one. */
final class Command {
	private Command() {
	}

	/** Its exit code: its own, or 128 and the signal that ended it. */
	static int run(String program, String[] arguments) throws Refusal {
		List<String> line = new ArrayList<>();
		RawArguments.add(line, program, arguments);
		ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
		if (arguments.length > 0 && arguments[0].equals("run"))
			JavaOnPath.ensure(builder.environment());
		PassedSignals signals = PassedSignals.receive();
		try {
			Process process = builder.start();
			signals.passTo(process);
			return waitFor(process);
		} catch (IOException error) {
			throw new Refusal("can't run " + program + ": " + Reason.of(error)
					+ "; set " + Installation.VARIABLE + " to a directory where programs can be run");
		}
	}

	private static int waitFor(Process process) {
		while (true) {
			try {
				return process.waitFor();
			} catch (InterruptedException nobodyDoes) {
				/* The program still runs. */
			}
		}
	}
}
