/*
 * Threads that call at the same time, threads that end with open calls, and threads
 * that are in the midst of calls when the program ends.
 * usage: TimesThreads THREADS N EXIT_CODE
 */
import java.util.concurrent.CountDownLatch;

public final class TimesThreads {
	static final int DYING = 5;
	static final int STAYING = 3;
	static volatile int sink;
	static CountDownLatch staying;

	static void leaf(int i) {
		sink = i;
	}

	static void left(int i) {
		leaf(i);
	}

	static void right(int i) {
		leaf(i);
		leaf(i);
	}

	static void body(int n) {
		for (int i = 0; i < n; i++) {
			left(i);
			right(i);
		}
	}

	static void dieHere() {
		throw new IllegalStateException("as it should be");
	}

	static void die() {
		leaf(0);
		dieHere();
	}

	static void stayHere() {
		staying.countDown();
		while (true) {
			try {
				Thread.sleep(600_000);
			} catch (InterruptedException e) {
				/* Stays all the same. */
			}
		}
	}

	static void stay() {
		stayHere();
	}

	static void exitHere(int code) {
		System.exit(code);
	}

	static void exit(int code) {
		exitHere(code);
	}

	/** Not looked at. */
	static final class Expected {
		static void say(long count, String path) {
			TimesTruth.calls(TimesThreads.class, count, path);
		}

		static void print(long threads, int n) {
			say(1, "main");
			say(threads, "lambda$main$0 ~");
			say(threads, "body lambda$main$0 ~");
			say(threads * n, "left body lambda$main$0 ~");
			say(threads * n, "right body lambda$main$0 ~");
			say(threads * n, "leaf left body lambda$main$0 ~");
			say(2 * threads * n, "leaf right body lambda$main$0 ~");
			say(DYING, "die ~");
			say(DYING, "leaf die ~");
			say(DYING, "dieHere die ~");
			say(STAYING, "stay ~");
			say(STAYING, "stayHere stay ~");
			say(1, "exit main");
			say(1, "exitHere exit main");
		}
	}

	public static void main(String[] args) throws InterruptedException {
		int count = Integer.parseInt(args[0]);
		int n = Integer.parseInt(args[1]);
		Thread[] threads = new Thread[count];
		staying = new CountDownLatch(STAYING);
		for (int i = 0; i < count; i++) {
			threads[i] = new Thread(() -> body(n), "caller-" + i);
		}
		for (Thread thread : threads) {
			thread.start();
		}
		for (int i = 0; i < DYING; i++) {
			Thread thread = new Thread(TimesThreads::die, "dying-" + i);
			thread.start();
			thread.join();
		}
		for (int i = 0; i < STAYING; i++) {
			Thread thread = new Thread(TimesThreads::stay, "staying-" + i);
			thread.setDaemon(true);
			thread.start();
		}
		staying.await();
		for (Thread thread : threads) {
			thread.join();
		}
		Expected.print(count, n);
		exit(Integer.parseInt(args[2]));
	}
}
