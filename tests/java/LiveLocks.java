/*
 * Makes objects at one site that threads use as locks: contended, held by the hundred, waited for
 * and waited on. It says step=0 while locks are held, step=1 after the end of that, and step=2 when
 * two of three are dropped and collected; each time it waits for a line. At the end it says what
 * was counted under the locks, and how many identity hashes have changed.
 * usage: LiveLocks COUNT
 */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

public final class LiveLocks {
	static final int CONTENDERS = 4;
	static final int ROUNDS = 20;
	static final int HELD = 500;
	static final int WAITING = 4; // for locks, and as many on them
	static final int TURNS = 2000;

	static class Lock {
		int uses;
		boolean over;
	}

	static Lock[] locks;
	static final CountDownLatch holds = new CountDownLatch(1);
	static final CountDownLatch release = new CountDownLatch(1);

	static Lock lock() {
		return new Lock();
	}

	static void contend() {
		for (int round = 0; round < ROUNDS; round++) {
			for (Lock lock : locks) {
				synchronized (lock) {
					lock.uses++;
				}
			}
		}
	}

	static void await(CountDownLatch latch) {
		try {
			latch.await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** All locks up to HELD at once, each in a frame of its own. */
	static void hold(int i) {
		if (i == HELD) {
			holds.countDown();
			await(release);
			return;
		}
		synchronized (locks[i]) {
			hold(i + 1);
		}
	}

	static void use(Lock lock) {
		synchronized (lock) {
			lock.uses++;
		}
	}

	static void waitOn(Lock lock) {
		synchronized (lock) {
			while (!lock.over) {
				waitFor(lock);
			}
			lock.uses++;
		}
	}

	static void waitFor(Object lock) {
		try {
			lock.wait();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	/** Two threads take turns: each adds one when the number is even, or when it is odd. */
	static void alternate(Lock lock, int odd) {
		synchronized (lock) {
			while (lock.uses < TURNS) {
				if (lock.uses % 2 == odd) {
					lock.uses++;
					lock.notifyAll();
				} else {
					waitFor(lock);
				}
			}
		}
	}

	static List<Thread> start(int count, IntConsumer body) {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			int number = i;
			threads.add(new Thread(() -> body.accept(number)));
			threads.get(i).start();
		}
		return threads;
	}

	static void join(List<Thread> threads) throws InterruptedException {
		for (Thread thread : threads) {
			thread.join();
		}
	}

	static void untilAll(List<Thread> threads, Thread.State state) throws InterruptedException {
		for (Thread thread : threads) {
			while (thread.getState() != state) {
				Thread.sleep(1);
			}
		}
	}

	static void step(int number) {
		Truth.say("step", number);
		Truth.waitForLine();
	}

	static int uses() {
		int sum = 0;
		for (Lock lock : locks) {
			sum += lock.uses;
		}
		return sum;
	}

	/** Every second lock has been asked for its hash before it is used. */
	static int[] hashes(int every) {
		int[] found = new int[locks.length];
		for (int i = 0; i < locks.length; i += every) {
			found[i] = System.identityHashCode(locks[i]);
		}
		return found;
	}

	static int changed(int[] from, int[] to) {
		int changed = 0;
		for (int i = 0; i < from.length; i++) {
			changed += from[i] != 0 && from[i] != to[i] ? 1 : 0;
		}
		return changed;
	}

	static void drop() {
		for (int i = 0; i < locks.length; i++) {
			if (i % 3 != 0) {
				locks[i] = null;
			}
		}
	}

	static void useAll(int[] before) throws InterruptedException {
		List<Thread> holder = start(1, i -> hold(0));
		holds.await();
		List<Thread> blocked = start(WAITING, i -> use(locks[i]));
		List<Thread> waiting = start(WAITING, i -> waitOn(locks[HELD + i]));
		untilAll(blocked, Thread.State.BLOCKED);
		untilAll(waiting, Thread.State.WAITING);
		step(0);
		int[] held = hashes(1);
		Truth.say("changed.held", changed(before, held));
		release.countDown();
		for (int i = HELD; i < HELD + WAITING; i++) {
			synchronized (locks[i]) {
				locks[i].over = true;
				locks[i].notify();
			}
		}
		join(holder);
		join(blocked);
		join(waiting);
		Truth.say("waited", uses());
		join(start(CONTENDERS, i -> contend()));
		Truth.say("contended", uses());
		Lock last = locks[locks.length - 1];
		last.uses = 0;
		join(start(2, i -> alternate(last, i)));
		Truth.say("turns", last.uses);
		step(1);
		Truth.say("changed", changed(held, hashes(1)));
	}

	public static void main(String[] args) throws InterruptedException {
		locks = new Lock[Integer.parseInt(args[0])];
		for (int i = 0; i < locks.length; i++) {
			locks[i] = lock();
		}
		Truth.say("pid", ProcessHandle.current().pid());
		useAll(hashes(2));
		drop();
		System.gc();
		step(2);
	}
}
