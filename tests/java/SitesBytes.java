/**
 * Allocates arrays of several sizes, of the given number of bytes in all, as bytes and as longs, on
 * 4 threads; each size in a method of its own.
 *
 * <p>Arguments: megabytes. Prints the number of arrays of each size and class.
 */
public class SitesBytes {
	static final int THREADS = 4;

	static volatile Object sink;

	/* Arrays have a header of 16 bytes. */

	static void small() {
		sink = new byte[24 - 16];
		sink = new long[(24 - 16) / 8];
	}

	static void middle() {
		sink = new byte[1000 - 16];
		sink = new long[(1000 - 16) / 8];
	}

	static void large() {
		sink = new byte[100_000 - 16];
		sink = new long[(100_000 - 16) / 8];
	}

	/* As many bytes of each size. */
	static long allocate(long bytes) {
		long rounds = bytes / (6 * 3_000_000);
		for (long i = 0; i < rounds; i++) {
			for (int j = 0; j < 30; j++) {
				large();
				for (int k = 0; k < 100; k++) {
					middle();
				}
				for (int k = 0; k < 100_000 / 24; k++) {
					small();
				}
			}
		}
		return rounds;
	}

	public static void main(String[] arguments) throws Exception {
		long bytes = Long.parseLong(arguments[0]) << 20;
		long[] rounds = new long[THREADS];
		Thread[] threads = new Thread[THREADS];
		for (int i = 0; i < THREADS; i++) {
			int number = i;
			threads[i] = new Thread(() -> rounds[number] = allocate(bytes / THREADS));
			threads[i].start();
		}
		long sum = 0;
		for (int i = 0; i < THREADS; i++) {
			threads[i].join();
			sum += rounds[i];
		}
		System.out.println("large=" + sum * 30);
		System.out.println("middle=" + sum * 30 * 100);
		System.out.println("small=" + sum * 30 * (100_000 / 24));
	}
}
