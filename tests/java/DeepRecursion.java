/*
 * CPU time under a stack of known depth. The clock is read seldom: with depth=1, samples
 * that find it being read have another trace.
 * usage: DeepRecursion SHALLOW DEEP CPU_MS_EACH
 * From the top: spinShallow, SHALLOW times shallow, main; then spinDeep, DEEP
 * times deep, main.
 */
public final class DeepRecursion {
	static volatile long sink;
	static long shallowNs;
	static long deepNs;

	static void spinShallow(long cpuNs) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < cpuNs) {
			for (int i = 0; i < 1_000_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		shallowNs = Truth.cpuNs() - start;
	}

	static void spinDeep(long cpuNs) {
		long start = Truth.cpuNs();
		long x = sink;
		while (Truth.cpuNs() - start < cpuNs) {
			for (int i = 0; i < 1_000_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		deepNs = Truth.cpuNs() - start;
	}

	static void shallow(int left, long cpuNs) {
		if (left > 1) {
			shallow(left - 1, cpuNs);
		} else {
			spinShallow(cpuNs);
		}
	}

	static void deep(int left, long cpuNs) {
		if (left > 1) {
			deep(left - 1, cpuNs);
		} else {
			spinDeep(cpuNs);
		}
	}

	public static void main(String[] args) {
		Truth.cpuNs(); /* loads its classes before anything is measured */
		long cpuNs = Long.parseLong(args[2]) * 1_000_000;
		shallow(Integer.parseInt(args[0]), cpuNs);
		deep(Integer.parseInt(args[1]), cpuNs);
		Truth.say("spinShallow.cpu_ns", shallowNs);
		Truth.say("spinDeep.cpu_ns", deepNs);
	}
}
