/*
 * Sleeps in short naps and exits.
 * usage: SleepThenExit MS
 */
public final class SleepThenExit {
	public static void main(String[] args) throws InterruptedException {
		System.out.println("pid=" + ProcessHandle.current().pid());
		System.out.println("ready=1");
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
		while (System.nanoTime() < end) {
			Thread.sleep(10);
		}
		System.out.println("slept=1");
	}
}
