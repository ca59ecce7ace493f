/*
 * What a calibrated program knows about itself, printed as key=value lines on
 * stdout, so that a test can hold the profile against it. CPU times are the
 * kernel's, read through ThreadMXBean.
 */
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

public final class Truth {
	private static final boolean ON_WINDOWS = System.getProperty("os.name").startsWith("Windows");
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private Truth() {
	}

	/** CPU time that the calling thread has used since it was created. */
	public static long cpuNs() {
		return THREADS.getCurrentThreadCpuTime();
	}

	/** CPU time of a live thread, or -1. */
	static long cpuNs(Thread thread) {
		return cpuNs(thread.getId());
	}

	static long cpuNs(long id) {
		return THREADS.getThreadCpuTime(id);
	}

	/** The id of the live thread of that name that is no virtual one. */
	static long threadId(String name) {
		for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
			if (info != null && info.getThreadName().equals(name)) {
				return info.getThreadId();
			}
		}
		throw new IllegalArgumentException(name);
	}

	/** CPU time of all live Java threads together. */
	static long liveCpuNs() {
		long sum = 0;
		for (long id : THREADS.getAllThreadIds()) {
			sum += Math.max(0, THREADS.getThreadCpuTime(id));
		}
		return sum;
	}

	/** Whether the thread stands before a monitor that another one owns. Its state alone changes
	 *  before it is known which monitor. */
	static boolean wantsMonitor(Thread thread) {
		ThreadInfo info = THREADS.getThreadInfo(thread.getId());
		return info != null && info.getThreadState() == Thread.State.BLOCKED
			&& info.getLockInfo() != null;
	}

	/** Whether the kernel has the thread of that name asleep, as Linux shows it: one that is
	 *  about to wait, but has lost its CPU before it does, is not. Windows does not show that:
	 *  there it is true after a time in which every thread gets a CPU. */
	static boolean isAsleep(String name) {
		if (ON_WINDOWS) {
			try {
				Thread.sleep(100);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
			return true;
		}
		String shown = name.substring(0, Math.min(15, name.length()));
		for (File task : new File("/proc/self/task").listFiles()) {
			try {
				if (Files.readString(task.toPath().resolve("comm")).trim().equals(shown)) {
					String stat = Files.readString(task.toPath().resolve("stat"));
					return stat.charAt(stat.lastIndexOf(')') + 2) == 'S';
				}
			} catch (IOException e) {
				continue; /* it has ended */
			}
		}
		return false;
	}

	/** How often the calling thread has waited for a monitor, as the JVM counts. */
	static long blockedCount() {
		return THREADS.getThreadInfo(Thread.currentThread().getId()).getBlockedCount();
	}

	/** How long the calling thread has waited for a CPU, by the kernel's account; 0 without one. */
	static long queuedNs() {
		try {
			return Long.parseLong(Files.readString(Path.of("/proc/thread-self/schedstat")).split(" ")[1]);
		} catch (IOException e) {
			return 0;
		}
	}

	/** Wakes up each so many ms, as a thread of an agent does, or as late as the system lets it:
	 *  says how far apart it is around a moment chosen at random, as a root mean square. */
	static final class Pace extends Thread {
		final long ms;
		double sum;
		double cubes;
		double longest;

		Pace(long ms) {
			super("pace");
			this.ms = ms;
			setDaemon(true);
			start();
		}

		@Override
		public void run() {
			try {
				for (long before = System.nanoTime();; ) {
					sleep(ms);
					long now = System.nanoTime();
					add(now - before);
					before = now;
				}
			} catch (InterruptedException e) {
				return;
			}
		}

		synchronized void add(double ns) {
			sum += ns;
			cubes += ns * ns * ns;
			longest = Math.max(longest, ns);
		}

		synchronized void say() {
			Truth.say("pace_ns", Math.round(Math.sqrt(cubes / sum)));
			Truth.say("pace.longest_ns", Math.round(longest));
		}
	}

	/** Until a line comes from stdin, or its end. */
	static void waitForLine() {
		try {
			for (int c = 0; c >= 0 && c != '\n'; ) {
				c = System.in.read();
			}
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** Not by the operator +, which links itself at its first use: 10 ms that are no part
	 *  of what is measured would be the caller's. */
	static synchronized void say(String key, Object value) {
		System.out.println(key.concat("=").concat(String.valueOf(value)));
		System.out.flush();
	}
}
