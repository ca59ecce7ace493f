import java.util.concurrent.CountDownLatch;

/**
 * Virtual threads that allocate, and wait between allocations so that they move from carrier to
 * carrier with their stacks.
 *
 * <p>Arguments: threads, and objects of each.
 */
public class SitesVirtual {
	static class Item {
		Object value;
	}

	static volatile Object sink;

	static void allocate(int count) throws InterruptedException {
		for (int i = 0; i < count; i++) {
			sink = new Item();
			if (i % 16 == 0) {
				Thread.sleep(1);
			}
		}
	}

	static void deeper(int levels, int count) throws InterruptedException {
		if (levels > 0) {
			deeper(levels - 1, count);
		} else {
			allocate(count);
		}
	}

	public static void main(String[] arguments) throws Exception {
		int threads = Integer.parseInt(arguments[0]);
		int count = Integer.parseInt(arguments[1]);
		CountDownLatch done = new CountDownLatch(threads);
		for (int i = 0; i < threads; i++) {
			int levels = i % 4;
			Thread.startVirtualThread(() -> {
				try {
					deeper(levels, count);
				} catch (InterruptedException exception) {
					throw new IllegalStateException(exception);
				} finally {
					done.countDown();
				}
			});
		}
		done.await();
	}
}
