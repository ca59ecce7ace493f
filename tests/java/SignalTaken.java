/*
 * Burns CPU time, has a native library take signals, and burns as much again, or as is given. Says for
 * both how much it was, in the method and around it, and how late a thread is that wakes up each ms.
 * usage: SignalTaken LIBRARY SIGNAL[,SIGNAL...] keep|handOn|ignore|setDefault|timer|nothing CPU_MS [CPU_MS]
 * timer: keeps SIGPROF and starts a timer of its own that sends it. received: how many signals the
 * library's handlers got, also one that was set with SIGNAL_TAKEN_AT_START=SIGNAL, LD_PRELOAD=LIBRARY.
 */
public final class SignalTaken {
	static volatile long sink;

	static native void keep(int signal);

	static native void handOn(int signal);

	static native void ignore(int signal);

	static native void setDefault(int signal);

	static native void startTimer();

	static native int received();

	static void spin() {
		long x = sink;
		for (int i = 0; i < 300_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		sink = x;
	}

	static long before(long ns) {
		long start = Truth.cpuNs();
		while (Truth.cpuNs() - start < ns) {
			spin();
		}
		return Truth.cpuNs() - start;
	}

	static long after(long ns) {
		long start = Truth.cpuNs();
		while (Truth.cpuNs() - start < ns) {
			spin();
		}
		return Truth.cpuNs() - start;
	}

	static void take(String how, int signal) {
		switch (how) {
			case "keep":
				keep(signal);
				break;
			case "handOn":
				handOn(signal);
				break;
			case "ignore":
				ignore(signal);
				break;
			case "setDefault":
				setDefault(signal);
				break;
			case "timer":
				keep(signal);
				startTimer();
				break;
			case "nothing":
				break;
			default:
				throw new IllegalArgumentException(how);
		}
	}

	public static void main(String[] args) {
		long ns = Long.parseLong(args[3]) * 1_000_000;
		long laterNs = args.length > 4 ? Long.parseLong(args[4]) * 1_000_000 : ns;
		System.load(args[0]);
		Truth.cpuNs(); /* loads its classes before anything is measured */
		long start = Truth.cpuNs();
		long beforeNs = before(ns);
		Truth.say("before.most_ns", Truth.cpuNs() - start);
		for (String signal : args[1].split(",")) {
			take(args[2], Integer.parseInt(signal));
		}
		start = Truth.cpuNs();
		long afterNs = after(laterNs);
		Truth.say("after.most_ns", Truth.cpuNs() - start);
		Truth.say("before.cpu_ns", beforeNs);
		Truth.say("after.cpu_ns", afterNs);
		Truth.say("received", received());
		Truth.say("ended", 1);
	}
}
