/*
 * Stack overflows, caught, and counts of the calls after them. How deep the stack
 * gets is counted by the program itself; the call in which it ends may have been
 * counted already or not yet, so that one per overflow is in doubt.
 * usage: TimesOverflow TIMES
 */
public final class TimesOverflow {
	static long dives;
	static long leaves;
	static long guards;
	static int sink;

	static void leaf() {
		leaves++;
	}

	static void dive() {
		dives++;
		leaf();
		dive();
	}

	/* With a handler in each frame, which itself may find no room. */
	static void guardedDive() {
		guards++;
		try {
			guardedDive();
		} finally {
			sink++;
		}
	}

	static void after() {
		sink++;
	}

	static void shallow() {
		after();
	}

	static void surface() {
		try {
			dive();
		} catch (StackOverflowError e) {
			after();
		}
		shallow();
	}

	static void guardedSurface() {
		try {
			guardedDive();
		} catch (StackOverflowError e) {
			after();
		}
		shallow();
	}

	public static void main(String[] args) throws InterruptedException {
		int times = Integer.parseInt(args[0]);
		Thread thread = new Thread(null, () -> {
			for (int i = 0; i < times; i++) {
				surface();
				guardedSurface();
			}
		}, "diver", 512 * 1024);
		thread.start();
		thread.join();
		Class<?> in = TimesOverflow.class;
		String run = "lambda$main$0 ~";
		TimesTruth.calls(in, 1, "main");
		TimesTruth.calls(in, 1, run);
		for (String surface : new String[] {"surface ", "guardedSurface "}) {
			TimesTruth.calls(in, times, surface + run);
			TimesTruth.calls(in, times, "after " + surface + run);
			TimesTruth.calls(in, times, "shallow " + surface + run);
			TimesTruth.calls(in, times, "after shallow " + surface + run);
		}
		System.out.println("dives=" + dives);
		System.out.println("leaves=" + leaves);
		System.out.println("guards=" + guards);
	}
}
