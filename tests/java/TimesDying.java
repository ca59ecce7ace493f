/*
 * Threads that call a few times and end, one after the other in each of some rows, until a line
 * comes from stdin. Prints the number of calls.
 * usage: TimesDying ROWS
 */
import java.util.concurrent.atomic.AtomicLong;

public final class TimesDying {
	static final AtomicLong CALLS = new AtomicLong();
	static volatile boolean ends;
	static volatile int sink;

	static void step() {
		sink++;
	}

	static void live() {
		for (int i = 0; i < 10; i++) {
			step();
		}
		CALLS.addAndGet(10);
	}

	static void row() {
		while (!ends) {
			Thread thread = new Thread(TimesDying::live);
			thread.start();
			try {
				thread.join();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Thread[] rows = new Thread[Integer.parseInt(args[0])];
		for (int i = 0; i < rows.length; i++) {
			rows[i] = new Thread(TimesDying::row);
			rows[i].start();
		}
		Truth.say("ready", 1);
		Truth.waitForLine();
		ends = true;
		for (Thread row : rows) {
			row.join();
		}
		Truth.say("calls", CALLS.get());
	}
}
