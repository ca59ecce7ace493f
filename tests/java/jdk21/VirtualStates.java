/*
 * Virtual threads that compute, sleep, wait for a lock and read from a socket, with fewer carriers
 * than threads. Prints for each how long it took for each, all of it, and how long it was there;
 * another is parked to the end. Before the end it waits for a line if the third argument says so.
 * usage: VirtualStates THREADS MS [stays]
 */
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public final class VirtualStates {
	static final ReentrantLock LOCK = new ReentrantLock();
	static final AtomicInteger READERS = new AtomicInteger();
	static volatile long sink;
	static volatile boolean done;

	/* Each returns how long it took, as it sees that. */

	static long compute(long ns) {
		long start = System.nanoTime();
		long x = sink;
		while (since(start) < ns) {
			for (int i = 0; i < 2_000; i++) {
				x = x * 6364136223846793005L + (i ^ (x >>> 7));
			}
		}
		sink = x;
		return since(start);
	}

	static long rest(long ms) throws InterruptedException {
		long start = System.nanoTime();
		Thread.sleep(ms);
		return since(start);
	}

	/* Each in turn: the others wait for the lock. */
	static long locked(String name, long ms) throws InterruptedException {
		long start = System.nanoTime();
		LOCK.lock();
		try {
			Truth.say(name + ".waited_ns", since(start));
			Thread.sleep(ms);
		} finally {
			LOCK.unlock();
		}
		return since(start);
	}

	static long read(Socket socket) throws IOException {
		long start = System.nanoTime();
		socket.getInputStream().read();
		return since(start);
	}

	static long since(long start) {
		return System.nanoTime() - start;
	}

	static void say(String name, long leastNs, long mostNs) {
		Truth.say(name + ".least_ns", leastNs);
		Truth.say(name + ".most_ns", mostNs);
	}

	static void work(String name, long ms, Socket socket) {
		try {
			long begin = System.nanoTime();
			long computeNs = compute(ms * 1_000_000);
			long computed = System.nanoTime();
			long restNs = rest(ms);
			long rested = System.nanoTime();
			long lockedNs = locked(name, ms);
			long unlocked = System.nanoTime();
			READERS.incrementAndGet();
			long reading = System.nanoTime();
			long readNs = read(socket);
			long end = System.nanoTime();
			say(name + ".compute", computeNs, computed - begin);
			say(name + ".rest", restNs, rested - computed);
			say(name + ".locked", lockedNs, unlocked - rested);
			say(name + ".read", readNs, end - reading);
			Truth.say(name + ".life_ns", end - begin);
		} catch (InterruptedException | IOException e) {
			throw new IllegalStateException(e);
		}
	}

	/* The first to work. */
	static void warm(String name, long ms, Socket socket) {
		work(name, ms, socket);
	}

	/* A thread of each name works; after all have begun to read, there is something to read. How
	 * long each is there becomes there's. */
	static void runAll(String[] names, long ms, long[] there) throws Exception {
		List<Thread> threads = new ArrayList<>();
		List<Socket> sockets = new ArrayList<>();

		try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
			for (int i = 0; i < names.length; i++) {
				String name = names[i];
				Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
				sockets.add(server.accept());
				there[i] = -System.nanoTime();
				Runnable run = name.equals("warm") ? () -> warm(name, ms, socket)
					: () -> work(name, ms, socket);
				threads.add(Thread.ofVirtual().name(name).start(run));
			}
			do {
				Thread.sleep(ms);
			} while (READERS.get() < names.length);
			READERS.set(0);
			Thread.sleep(ms);
			for (Socket socket : sockets) {
				socket.getOutputStream().write(1);
			}
			for (int i = 0; i < names.length; i++) {
				threads.get(i).join();
				there[i] += System.nanoTime();
			}
		}
	}

	static long parkedNs;

	static void park() {
		parkedNs = System.nanoTime();
		while (!done) {
			LockSupport.park();
		}
	}

	public static void main(String[] args) throws Exception {
		int count = Integer.parseInt(args[0]);
		long ms = Long.parseLong(args[1]);
		long[] started = new long[count];

		long beforeNs = System.nanoTime();
		Thread.ofVirtual().name("parked").start(VirtualStates::park);
		/* Loads what the methods need. */
		runAll(new String[] {"warm"}, 10, new long[1]);
		String[] names = new String[count];
		for (int i = 0; i < count; i++) {
			names[i] = "worker-" + i;
		}
		runAll(names, ms, started);
		for (int i = 0; i < count; i++) {
			Truth.say(names[i] + ".there_ns", started[i]);
		}
		if (args.length > 2) {
			Truth.say("ready", 1);
			Truth.waitForLine();
		}
		Truth.say("parked.life_ns", since(parkedNs));
		Truth.say("parked.there_ns", since(beforeNs));
		Truth.say("end.at_ns", System.nanoTime());
	}
}
