import java.util.ArrayList;
import java.util.List;

/*
 * Makes records on virtual threads, whose arguments are chosen by a switch, keeps every third, has
 * the garbage collected, and says how many it keeps.
 * usage: LiveRecords THREADS COUNT, records of each thread, a multiple of 9
 */
public final class LiveRecords {
	record Leaf(int value) {
	}

	record Pair(Object first, Leaf second) {
		Pair {
			if (first == second) {
				throw new IllegalArgumentException();
			}
		}
	}

	static final class Other {
		final Object of;

		Other(Object of) {
			this.of = of;
		}
	}

	static Pair[][] kept;

	static Pair make(int i) {
		return new Pair(switch (i % 3) {
			case 0 -> new Leaf(i);
			case 1 -> new Other(new Leaf(i));
			default -> other();
		}, new Leaf(-i));
	}

	static Other other() {
		try {
			return new Other(Integer.parseInt("none"));
		} catch (NumberFormatException expected) {
			return new Other(null);
		}
	}

	static void fill(Pair[] into) {
		for (int i = 0; i < into.length; i++) {
			into[i] = make(i);
			if (i % 64 == 0) {
				Thread.yield();
			}
		}
	}

	static int drop(Pair[] pairs) {
		int left = 0;
		for (int i = 0; i < pairs.length; i++) {
			if (i / 3 % 3 != 0) {
				pairs[i] = null;
			} else {
				left++;
			}
		}
		return left;
	}

	public static void main(String[] args) throws InterruptedException {
		kept = new Pair[Integer.parseInt(args[0])][Integer.parseInt(args[1])];
		List<Thread> threads = new ArrayList<>();
		for (Pair[] pairs : kept) {
			threads.add(Thread.startVirtualThread(() -> fill(pairs)));
		}
		for (Thread thread : threads) {
			thread.join();
		}
		int left = 0;
		for (Pair[] pairs : kept) {
			left += drop(pairs);
		}
		System.gc();
		System.out.println("kept=" + left);
	}
}
