/*
 * Runs threads, has a native library close all descriptors and open files of its own, ends the threads,
 * and says how many of these files are not as they were left.
 * usage: DescriptorsTaken LIBRARY DIRECTORY THREADS FILES
 */
public final class DescriptorsTaken {
	static volatile long sink;

	static native void take(String directory, int files);

	static native int harmed();

	static void burn(long ms) {
		long end = System.nanoTime() + ms * 1_000_000;
		while (System.nanoTime() < end) {
			sink += System.nanoTime();
		}
	}

	public static void main(String[] args) throws Exception {
		Thread[] threads = new Thread[Integer.parseInt(args[2])];
		System.load(args[0]);
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> burn(900));
			threads[i].start();
		}
		burn(300);
		take(args[1], Integer.parseInt(args[3]));
		Truth.say("harmed.before", harmed());
		for (Thread thread : threads) {
			thread.join();
		}
		byte[][] objects = new byte[1000][];
		for (int i = 0; i < objects.length; i++) {
			objects[i] = new byte[100];
		}
		burn(1200); /* the agent writes at least once per second */
		Truth.say("objects", objects.length);
		Truth.say("harmed", harmed());
	}
}
