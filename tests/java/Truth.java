/*
 * What a calibrated program knows about itself, printed as key=value lines on
 * stdout, so that a test can hold the profile against it. CPU times are the
 * kernel's, read through ThreadMXBean.
 */
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public final class Truth {
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private Truth() {
	}

	/** CPU time that the calling thread has used since it was created. */
	public static long cpuNs() {
		return THREADS.getCurrentThreadCpuTime();
	}

	/** CPU time of a live thread, or -1. */
	static long cpuNs(Thread thread) {
		return THREADS.getThreadCpuTime(thread.getId());
	}

	/** CPU time of all live Java threads together. */
	static long liveCpuNs() {
		long sum = 0;
		for (long id : THREADS.getAllThreadIds()) {
			sum += Math.max(0, THREADS.getThreadCpuTime(id));
		}
		return sum;
	}

	/** Not by the operator +, which links itself at its first use: 10 ms that are no part
	 *  of what is measured would be the caller's. */
	static synchronized void say(String key, Object value) {
		System.out.println(key.concat("=").concat(String.valueOf(value)));
		System.out.flush();
	}
}
