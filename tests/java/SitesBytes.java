/**
 * Allocates arrays of several sizes, of the given number of bytes in all, as bytes and as longs, on
 * 4 threads.
 *
 * <p>Arguments: megabytes. Prints the bytes and the number of arrays of each class, of sizes that
 * are multiples of 8 and have a header of 16 bytes.
 */
public class SitesBytes {
	static final int THREADS = 4;
	static final int[] SIZES = {24, 64, 1000, 4096, 100_000};

	static volatile Object sink;

	static long allocate(long bytes) {
		long objects = 0;
		for (long done = 0; done < bytes; ) {
			for (int size : SIZES) {
				sink = new byte[size - 16];
				sink = new long[(size - 16) / 8];
				done += 2 * size;
				objects++;
			}
		}
		return objects;
	}

	public static void main(String[] arguments) throws Exception {
		long bytes = Long.parseLong(arguments[0]) << 20;
		long[] objects = new long[THREADS];
		Thread[] threads = new Thread[THREADS];
		for (int i = 0; i < THREADS; i++) {
			int number = i;
			threads[i] = new Thread(() -> objects[number] = allocate(bytes / THREADS));
			threads[i].start();
		}
		long count = 0;
		for (int i = 0; i < THREADS; i++) {
			threads[i].join();
			count += objects[i];
		}
		long round = 0;
		for (int size : SIZES) {
			round += size;
		}
		System.out.println("objects=" + count);
		System.out.println("bytes=" + count / SIZES.length * round);
	}
}
