package hprof.launcher;

import java.io.IOException;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Signals that would end this process before the command. The terminal sends SIGINT to the command,
 * too; SIGTERM and SIGHUP are passed on. One that is ignored already, as nohup does, stays ignored.
 */
final class PassedSignals implements SignalHandler {
	private Process process;
	private Signal waiting; /* for the process */

	private PassedSignals() {
	}

	static PassedSignals receive() {
		PassedSignals signals = new PassedSignals();
		for (String name : new String[] {"INT", "TERM", "HUP"})
			signals.handle(name);
		return signals;
	}

	private void handle(String name) {
		try {
			Signal.handle(new Signal(name), this);
		} catch (IllegalArgumentException | LinkageError error) {
			/* With -Xrs, or without the module jdk.unsupported, it ends this process alone. */
		}
	}

	synchronized void passTo(Process started) {
		process = started;
		if (waiting != null)
			pass(waiting);
	}

	@Override
	public synchronized void handle(Signal signal) {
		if (signal.getName().equals("INT"))
			return;
		if (process == null)
			waiting = signal;
		else
			pass(signal);
	}

	private void pass(Signal signal) {
		if (signal.getName().equals("TERM"))
			process.destroy();
		else
			send(signal);
	}

	/* Java itself sends SIGTERM and SIGKILL alone. */
	private void send(Signal signal) {
		try {
			new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal.getName() + " " + process.pid()).start();
		} catch (IOException error) {
			process.destroy();
		}
	}
}
