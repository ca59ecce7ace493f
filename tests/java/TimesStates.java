import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/*
 * Methods that each spend a known time in one state: alone, and with each of the others called in
 * between. For each call of one within another, it prints the time on the CPU, and on Linux that of
 * waiting for one, by the kernel's account, and the elapsed time. Meanwhile three other threads are
 * blocked from their beginning to the end.
 * usage: TimesStates MS [pace]
 * pace: says that of a thread that wakes up each 10 ms, too.
 */
public final class TimesStates {
	static final String[] NAMES = {"compute", "read", "lock", "park", "sleep", "runnable", "collect"};
	static final int NONE = NAMES.length;

	static final Object MONITOR = new Object();
	static final ReentrantLock LOCK = new ReentrantLock();
	static volatile boolean held;
	static volatile boolean busy;
	static volatile long sink;

	/* By the method that is called, and by the one that calls it, or NONE. */
	static final long[][] WALL_NS = new long[NONE][NONE + 1];
	static final long[][] CPU_NS = new long[NONE][NONE + 1];
	static final long[][] QUEUED_NS = new long[NONE][NONE + 1];
	/* Waits for a CPU from the end before to a beginning, and from an end to the next beginning. */
	static final long[][] BESIDE_NS = new long[NONE][NONE + 1];

	static long halfNs;
	static Pipe pipe;
	static final ByteBuffer ONE = ByteBuffer.allocate(1);

	/* ---- truth ---------------------------------------------------------- */

	static RandomAccessFile schedstat; /* the main thread's, or null */
	static final byte[] ACCOUNT = new byte[80];

	/** How long the main thread has waited for a CPU, the second number of its account. */
	static long queuedNs() {
		if (schedstat == null) {
			return 0;
		}
		try {
			schedstat.seek(0);
			int length = schedstat.read(ACCOUNT);
			long number = 0;
			for (int i = 0, field = 0; i < length && field < 2; i++) {
				if (ACCOUNT[i] == ' ') {
					field++;
				} else if (field == 1) {
					number = number * 10 + ACCOUNT[i] - '0';
				}
			}
			return number;
		} catch (IOException e) {
			throw new IllegalStateException(e);
		}
	}

	static long wallNs;
	static long cpuNs;
	static long queuedNs;
	static long readingNs; /* all time in startClocks and endClocks, as they see it, */
	static long mostReadingNs; /* and their callers */

	/** Reads all three again if the thread had to wait for a CPU in between. */
	static void readClocks() {
		do {
			queuedNs = queuedNs();
			cpuNs = Truth.cpuNs();
			wallNs = System.nanoTime();
		} while (queuedNs() != queuedNs);
	}

	static int lastKind; /* that has ended */
	static int lastOuter = NONE;
	static long endedNs; /* when it had waited for a CPU so long */

	static void startClocks(int kind, int outer) {
		long enteredNs = System.nanoTime();
		readClocks();
		BESIDE_NS[kind][outer] += queuedNs - endedNs;
		BESIDE_NS[lastKind][lastOuter] += queuedNs - endedNs;
		QUEUED_NS[kind][outer] -= queuedNs;
		CPU_NS[kind][outer] -= cpuNs;
		WALL_NS[kind][outer] -= wallNs;
		readingNs += System.nanoTime() - enteredNs;
	}

	static void endClocks(int kind, int outer) {
		long enteredNs = System.nanoTime();
		readClocks();
		lastKind = kind;
		lastOuter = outer;
		endedNs = queuedNs;
		QUEUED_NS[kind][outer] += queuedNs;
		CPU_NS[kind][outer] += cpuNs;
		WALL_NS[kind][outer] += wallNs;
		readingNs += System.nanoTime() - enteredNs;
	}

	/**
	 * Half of a call begins; from begin to end the time is that of this kind. Waits for a CPU while
	 * the clocks are read can be on either side.
	 */
	static void begin(int kind, int outer) {
		long enteredNs = System.nanoTime();
		startClocks(kind, outer);
		mostReadingNs += System.nanoTime() - enteredNs;
	}

	static void end(int kind, int outer) {
		long enteredNs = System.nanoTime();
		endClocks(kind, outer);
		mostReadingNs += System.nanoTime() - enteredNs;
	}

	/* ---- halves -------------------------------------------------------- */

	static long burn(long x) {
		for (int i = 0; i < 2_000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static void sleepHalf() {
		try {
			Thread.sleep(halfNs / 1_000_000);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void start(Runnable life) {
		Thread thread = new Thread(life);
		thread.setDaemon(true);
		thread.start();
	}

	static void writeLater() {
		sleepHalf();
		try {
			pipe.sink().write(ByteBuffer.allocate(1));
		} catch (IOException e) {
			throw new IllegalStateException(e);
		}
	}

	static void holdMonitor() {
		synchronized (MONITOR) {
			held = true;
			sleepHalf();
		}
	}

	static void holdLock() {
		LOCK.lock();
		held = true;
		sleepHalf();
		LOCK.unlock();
	}

	/** Until the thread that holds a lock has it. */
	static void awaitHolder() {
		while (!held) {
			Thread.onSpinWait();
		}
	}

	static void beBusy() {
		while (busy) {
			sink = burn(sink);
		}
	}

	/* ---- states --------------------------------------------------------- */

	static void compute(int outer, int inner) {
		for (int half = 0; half < 2; half++) {
			begin(0, outer);
			long start = System.nanoTime();
			while (System.nanoTime() - start < halfNs) {
				sink = burn(sink);
			}
			end(0, outer);
			call(0, inner, half);
		}
	}

	static void read(int outer, int inner) throws IOException {
		for (int half = 0; half < 2; half++) {
			start(TimesStates::writeLater);
			begin(1, outer);
			ONE.clear();
			pipe.source().read(ONE);
			end(1, outer);
			call(1, inner, half);
		}
	}

	static void lock(int outer, int inner) {
		for (int half = 0; half < 2; half++) {
			held = false;
			start(TimesStates::holdMonitor);
			awaitHolder();
			begin(2, outer);
			synchronized (MONITOR) {
				held = false;
			}
			end(2, outer);
			call(2, inner, half);
		}
	}

	static void park(int outer, int inner) {
		for (int half = 0; half < 2; half++) {
			held = false;
			start(TimesStates::holdLock);
			awaitHolder();
			begin(3, outer);
			LOCK.lock();
			LOCK.unlock();
			end(3, outer);
			call(3, inner, half);
		}
	}

	static void sleep(int outer, int inner) throws InterruptedException {
		for (int half = 0; half < 2; half++) {
			begin(4, outer);
			Thread.sleep(halfNs / 1_000_000);
			end(4, outer);
			call(4, inner, half);
		}
	}

	/** Until it has waited for a CPU so long; others keep all of them busy. */
	static void runnable(int outer, int inner) {
		for (int half = 0; half < 2; half++) {
			busy = true;
			for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
				start(TimesStates::beBusy);
			}
			begin(5, outer);
			long off = System.nanoTime() - Truth.cpuNs();
			while (System.nanoTime() - Truth.cpuNs() - off < halfNs) {
				sink = burn(sink);
			}
			busy = false;
			end(5, outer);
			call(5, inner, half);
		}
	}

	static void collect(int outer, int inner) {
		for (int half = 0; half < 2; half++) {
			begin(6, outer);
			long start = System.nanoTime();
			while (System.nanoTime() - start < halfNs) {
				System.gc();
			}
			end(6, outer);
			call(6, inner, half);
		}
	}

	/** After its first half, the outer method calls the inner one. */
	static void call(int outer, int inner, int half) {
		if (half > 0) {
			return;
		}
		try {
			switch (inner) {
			case 0: compute(outer, NONE); break;
			case 1: read(outer, NONE); break;
			case 2: lock(outer, NONE); break;
			case 3: park(outer, NONE); break;
			case 4: sleep(outer, NONE); break;
			case 5: runnable(outer, NONE); break;
			case 6: collect(outer, NONE); break;
			default: break;
			}
		} catch (InterruptedException | IOException e) {
			throw new IllegalStateException(e);
		}
	}

	/* ---- threads that stay blocked --------------------------------------- */

	/** Returns when it is blocked. */
	static void stay(String name, Thread.State state, Runnable life) throws InterruptedException {
		Thread thread = new Thread(life, name);
		thread.setDaemon(true);
		thread.start();
		while (thread.getState() != state || !Truth.isAsleep(name)) {
			Thread.sleep(1);
		}
	}

	static void stayParked() {
		try {
			new CountDownLatch(1).await();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void stayWaiting() {
		Object monitor = new Object();
		synchronized (monitor) {
			try {
				monitor.wait();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	static void stayReading(Pipe nothing) {
		try {
			nothing.source().read(ByteBuffer.allocate(1));
		} catch (IOException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] args) throws Exception {
		Truth.cpuNs();
		File account = new File("/proc/thread-self/schedstat");
		if (account.canRead()) {
			schedstat = new RandomAccessFile(account.getCanonicalFile(), "r");
		}
		pipe = Pipe.open();
		Pipe nothing = Pipe.open();
		stay("parked", Thread.State.WAITING, TimesStates::stayParked);
		stay("waiting", Thread.State.WAITING, TimesStates::stayWaiting);
		stay("reading", Thread.State.RUNNABLE, () -> stayReading(nothing));
		long startNs = System.nanoTime();
		/* Loads what the methods need. */
		halfNs = 1_000_000;
		for (int kind = 0; kind < NONE; kind++) {
			call(NONE, kind, 0);
		}
		for (int kind = 0; kind < NONE; kind++) {
			WALL_NS[kind][NONE] = 0;
			CPU_NS[kind][NONE] = 0;
			QUEUED_NS[kind][NONE] = 0;
			BESIDE_NS[kind][NONE] = 0;
		}
		readingNs = 0;
		mostReadingNs = 0;
		Truth.say("warm.wall_ns", System.nanoTime() - startNs);
		halfNs = Long.parseLong(args[0]) * 1_000_000 / 2;
		Truth.Pace pace = args.length > 1 ? new Truth.Pace(10) : null;
		measured();
		if (pace != null) {
			pace.say();
		}
		Truth.say("stays.wall_ns", System.nanoTime() - startNs);
		Truth.say("reading.least_ns", readingNs);
		Truth.say("reading.most_ns", mostReadingNs);
		for (int inner = 0; inner < NONE; inner++) {
			for (int outer = 0; outer <= NONE; outer++) {
				String name = NAMES[inner].concat(".")
					.concat(outer == NONE ? "none" : NAMES[outer]);
				Truth.say(name.concat(".wall_ns"), WALL_NS[inner][outer]);
				Truth.say(name.concat(".cpu_ns"), CPU_NS[inner][outer]);
				Truth.say(name.concat(".queued_ns"), QUEUED_NS[inner][outer]);
				Truth.say(name.concat(".beside_ns"), BESIDE_NS[inner][outer]);
			}
		}
	}

	/** The calls that count; those before have another caller. */
	static void measured() {
		for (int outer = 0; outer < NONE; outer++) {
			for (int inner = 0; inner < NONE; inner++) {
				run(outer, inner);
			}
		}
	}

	static void run(int outer, int inner) {
		try {
			switch (outer) {
			case 0: compute(NONE, inner); break;
			case 1: read(NONE, inner); break;
			case 2: lock(NONE, inner); break;
			case 3: park(NONE, inner); break;
			case 4: sleep(NONE, inner); break;
			case 5: runnable(NONE, inner); break;
			default: collect(NONE, inner); break;
			}
		} catch (InterruptedException | IOException e) {
			throw new IllegalStateException(e);
		}
	}
}
