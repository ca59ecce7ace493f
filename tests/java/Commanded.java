/*
 * Runs threads that a test can tell apart by what they do, until a line comes from stdin or
 * the JVM is made to exit: alpha and beta compute in methods of their own, alpha under
 * many frames; sleeper sleeps. Says when a garbage collection has happened.
 * usage: Commanded [KEPT]
 */
import java.lang.ref.WeakReference;

public final class Commanded {
	static final int ALPHA_FRAMES = 40;
	static volatile long sink;
	static volatile boolean over;
	static Object[] kept;

	static long spin(long x) {
		for (int i = 0; i < 10_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void alpha(int frames) {
		if (frames > 1) {
			alpha(frames - 1);
			return;
		}
		while (!over) {
			sink = spin(sink);
		}
	}

	static void beta() {
		while (!over) {
			sink = spin(sink);
		}
	}

	static void rest() {
		try {
			Thread.sleep(3_600_000);
		} catch (InterruptedException e) {
			over = true;
		}
	}

	static void watch() {
		WeakReference<Object> garbage = new WeakReference<>(new Object());
		while (garbage.get() != null) {
			try {
				Thread.sleep(5);
			} catch (InterruptedException e) {
				return;
			}
		}
		Truth.say("collected", 1);
	}

	static void start(String name, Runnable body) {
		Thread thread = new Thread(body, name);
		thread.setDaemon(true);
		thread.start();
	}

	public static void main(String[] args) {
		kept = new Object[args.length > 0 ? Integer.parseInt(args[0]) : 0];
		for (int i = 0; i < kept.length; i++) {
			kept[i] = new long[6];
		}
		Runtime.getRuntime().addShutdownHook(new Thread(() -> Truth.say("hook", 1)));
		start("alpha", () -> alpha(ALPHA_FRAMES));
		start("beta", Commanded::beta);
		start("sleeper", Commanded::rest);
		start("watcher", Commanded::watch);
		Truth.say("pid", ProcessHandle.current().pid());
		Truth.say("ready", 1);
		Truth.waitForLine();
		Truth.say("end", 1);
		System.exit(9);
	}
}
