/*
 * Two busy threads with a known share of the CPU beside five that are blocked.
 * usage: Shares steady|pulsed MS
 * steady: heavy burns 70% and light 30% of MS of CPU time, each in one go.
 * pulsed: for MS of wall time heavy burns 7 and light 3 of every 10 ms, and
 * sleeps in between.
 */
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

public final class Shares {
	static volatile long sink;
	static boolean pulsed;
	static long spanNs;

	static long spin(long x, int rounds) {
		for (int i = 0; i < rounds; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void burnUntil(long cpuNs) {
		long x = sink;
		while (Truth.cpuNs() < cpuNs) {
			x = spin(x, 100_000);
		}
		sink = x;
	}

	static void work(int percent) throws InterruptedException {
		if (!pulsed) {
			burnUntil(spanNs * percent / 100);
			return;
		}
		long start = System.nanoTime();
		long periodNs = 10_000_000;
		for (long at = 0; at < spanNs; at += periodNs) {
			burnUntil(Truth.cpuNs() + periodNs * percent / 100);
			long left = start + at + periodNs - System.nanoTime();
			if (left > 100_000) {
				Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
			}
		}
	}

	static void heavy() throws InterruptedException {
		work(70);
	}

	static void light() throws InterruptedException {
		work(30);
	}

	static void sleeper() throws InterruptedException {
		Thread.sleep(600_000);
	}

	static void acceptor(ServerSocket server) throws Exception {
		server.accept();
	}

	static void waiter(Object lock) throws InterruptedException {
		synchronized (lock) {
			while (true) {
				lock.wait();
			}
		}
	}

	interface Body {
		void run() throws Exception;
	}

	static Thread thread(String name, boolean daemon, Body body) {
		Thread thread = new Thread(() -> {
			try {
				body.run();
				if (!daemon) {
					Truth.say(name.concat(".cpu_ns"), Truth.cpuNs());
				}
			} catch (Exception e) {
				throw new IllegalStateException(e);
			}
		}, name);
		thread.setDaemon(daemon);
		thread.start();
		return thread;
	}

	public static void main(String[] args) throws Exception {
		Truth.say("main.start_cpu_ns", Truth.cpuNs());
		pulsed = args[0].equals("pulsed");
		spanNs = Long.parseLong(args[1]) * 1_000_000;

		/* The first accept() loads classes: pay for that on the main thread. */
		ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
		Socket first = new Socket(server.getInetAddress(), server.getLocalPort());
		server.accept().close();
		first.close();
		Object lock = new Object();

		Thread[] blocked = {
			thread("sleeper-0", true, Shares::sleeper),
			thread("sleeper-1", true, Shares::sleeper),
			thread("sleeper-2", true, Shares::sleeper),
			thread("acceptor", true, () -> acceptor(server)),
			thread("waiter", true, () -> waiter(lock)),
		};
		Thread heavy = thread("heavy", false, Shares::heavy);
		Thread light = thread("light", false, Shares::light);
		heavy.join();
		light.join();
		for (Thread thread : blocked) {
			Truth.say(thread.getName() + ".cpu_ns", Truth.cpuNs(thread));
		}
		Truth.say("live.cpu_ns", Truth.liveCpuNs());
	}
}
