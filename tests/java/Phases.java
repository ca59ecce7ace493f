/*
 * Spends a known CPU time in one method after the other and says when each is
 * over, so that a test that kills it knows what must have been seen.
 * With "step" each phase waits for a byte of standard input.
 * usage: Phases CPU_MS_EACH [step]
 */
import java.io.IOException;

public final class Phases {
	static volatile long sink;

	static long spin(long x, long endNs) {
		while (Truth.cpuNs() < endNs) {
			for (int i = 0; i < 10_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		return x;
	}

	static long phase0(long endNs) {
		return spin(0, endNs);
	}

	static long phase1(long endNs) {
		return spin(1, endNs);
	}

	static long phase2(long endNs) {
		return spin(2, endNs);
	}

	static long phase3(long endNs) {
		return spin(3, endNs);
	}

	static long phase4(long endNs) {
		return spin(4, endNs);
	}

	static long phase5(long endNs) {
		return spin(5, endNs);
	}

	static long phase6(long endNs) {
		return spin(6, endNs);
	}

	static long phase7(long endNs) {
		return spin(7, endNs);
	}

	interface Phase {
		long run(long endNs);
	}

	public static void main(String[] args) throws InterruptedException, IOException {
		Truth.cpuNs(); /* loads its classes before anything is measured */
		long eachNs = Long.parseLong(args[0]) * 1_000_000;
		boolean step = args.length > 1;
		Phase[] phases = { Phases::phase0, Phases::phase1, Phases::phase2, Phases::phase3,
			Phases::phase4, Phases::phase5, Phases::phase6, Phases::phase7 };
		for (int i = 0; i < phases.length; i++) {
			if (step && System.in.read() < 0) {
				break;
			}
			long start = Truth.cpuNs();
			sink = phases[i].run(start + eachNs);
			Truth.say("phase".concat(String.valueOf(i)).concat(".cpu_ns"), Truth.cpuNs() - start);
			Truth.say("over", i);
		}
		Thread.sleep(600_000);
	}
}
