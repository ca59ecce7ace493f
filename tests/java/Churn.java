/*
 * Starts and ends threads with long names, one after the other, so that its profile
 * grows by some hundred bytes with each, and says how many it got done and what the
 * longest time of one was.
 * It goes on until so much time has gone by and LEAST threads are done.
 * usage: Churn WALL_MS NAME_LENGTH [EXIT_CODE [LEAST]]
 */
public final class Churn {
	static volatile int done;

	public static void main(String[] args) throws InterruptedException {
		long endNs = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
		String name = "n".repeat(Integer.parseInt(args[1]));
		long longestNs = 0;
		long beforeNs = System.nanoTime();

		Truth.say("ready", 1);
		int least = args.length > 3 ? Integer.parseInt(args[3]) : 0;
		long startNs = beforeNs;
		while (beforeNs < endNs || done < least) {
			Thread thread = new Thread(() -> done++, name + done);
			thread.start();
			thread.join();
			long nowNs = System.nanoTime();
			longestNs = Math.max(longestNs, nowNs - beforeNs);
			beforeNs = nowNs;
		}
		Truth.say("done", done);
		Truth.say("longest.ns", longestNs);
		Truth.say("lasted.ns", beforeNs - startNs);
		Truth.say("exit.at_ns", System.nanoTime());
		if (args.length > 2) {
			System.exit(Integer.parseInt(args[2]));
		}
	}
}
