import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Allocates known objects at known places on 8 threads, keeps every fourth, drops the rest, and has
 * the garbage collected.
 *
 * <p>Arguments: objects of each kind and thread.
 */
public class SitesTruth {
	static final int THREADS = 8;

	static class Plain {
		int a;
		long b;
	}

	static class Leaf {
		Object next;
	}

	static final List<Object[]> kept = new ArrayList<>();

	static Object plain() {
		return new Plain();
	}

	static Object leaf() {
		return new Leaf();
	}

	static Object bytes() {
		return new byte[100];
	}

	static Object matrix() {
		return new long[3][5];
	}

	static Object references() {
		return new Plain[7];
	}

	static void run(Object[] mine, int count) {
		int at = 0;
		for (int i = 0; i < count; i++) {
			Object a = plain();
			Object b = leaf();
			Object c = bytes();
			Object d = matrix();
			Object e = references();
			if (i % 4 == 0) {
				mine[at++] = a;
				mine[at++] = b;
				mine[at++] = c;
				mine[at++] = d;
				mine[at++] = e;
			}
		}
	}

	public static void main(String[] arguments) throws Exception {
		int count = Integer.parseInt(arguments[0]);
		CountDownLatch done = new CountDownLatch(THREADS);
		for (int i = 0; i < THREADS; i++) {
			Object[] mine = new Object[(count + 3) / 4 * 5];
			kept.add(mine);
			new Thread(() -> {
				run(mine, count);
				done.countDown();
			}).start();
		}
		done.await();
		System.gc();
		System.out.println(kept.size());
	}
}
