/*
 * Runs another program's main method in this JVM and, when the JVM exits (a call
 * of System.exit included), writes what CPU time its threads have used to the
 * file named by -Dmeasured.file. Two sources that know nothing of the agent:
 *
 *   pid PID                the process, and its first thread
 *   process NS             CPU time of the whole process
 *   task TID NS NAME       each thread of the process that is alive, from /proc
 *   thread NS NAME         each Java thread ever seen, from ThreadMXBean
 *   before_main NS         the main thread's CPU time when main was entered
 *
 * A thread that ends between two looks keeps the value of the last look, so the
 * ThreadMXBean sum can be short of the truth by PERIOD_MS for each such thread.
 */
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

public final class Measured {
	private static final long PERIOD_MS = 50;
	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private static final Map<Long, String> NAMES = new HashMap<>();
	private static final Map<Long, Long> CPU_NS = new HashMap<>();

	private Measured() {
	}

	public static void main(String[] args) throws Throwable {
		long beforeMainNs = THREADS.getCurrentThreadCpuTime();
		Path file = Path.of(System.getProperty("measured.file"));

		Thread looker = new Thread(Measured::lookOften, "measured looker");
		looker.setDaemon(true);
		looker.start();
		Runtime.getRuntime().addShutdownHook(
				new Thread(() -> report(file, beforeMainNs), "measured report"));

		try {
			Class.forName(args[0]).getMethod("main", String[].class)
					.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
		} catch (InvocationTargetException thrown) {
			throw thrown.getCause();
		}
	}

	private static void lookOften() {
		try {
			while (true) {
				look();
				Thread.sleep(PERIOD_MS);
			}
		} catch (InterruptedException end) {
			Thread.currentThread().interrupt();
		}
	}

	private static synchronized void look() {
		for (long id : THREADS.getAllThreadIds()) {
			long ns = THREADS.getThreadCpuTime(id);
			if (ns >= 0) {
				CPU_NS.put(id, ns);
				NAMES.computeIfAbsent(id, Measured::nameOf);
			}
		}
	}

	/** The thread's name, or null when it has ended. */
	private static String nameOf(long id) {
		ThreadInfo info = THREADS.getThreadInfo(id);
		return info == null ? null : info.getThreadName();
	}

	private static synchronized void report(Path file, long beforeMainNs) {
		OperatingSystemMXBean process =
				(OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		look();
		try (PrintStream out = new PrintStream(Files.newOutputStream(file), false,
				StandardCharsets.UTF_8)) {
			out.printf("pid %d%n", ProcessHandle.current().pid());
			reportTasks(out);
			out.printf("process %d%n", process.getProcessCpuTime());
			CPU_NS.forEach((id, ns) -> out.printf("thread %d %s%n", ns, NAMES.get(id)));
			out.printf("before_main %d%n", beforeMainNs);
		} catch (IOException failure) {
			System.err.println("Measured: can't write " + file + ": " + failure);
			Runtime.getRuntime().halt(99);
		}
	}

	private static void reportTasks(PrintStream out) throws IOException {
		try (DirectoryStream<Path> tasks =
				Files.newDirectoryStream(Path.of("/proc/self/task"))) {
			for (Path task : tasks) {
				try {
					String name = Files.readString(task.resolve("comm")).strip();
					String[] schedstat =
							Files.readString(task.resolve("schedstat")).split(" ");
					out.printf("task %s %s %s%n", task.getFileName(), schedstat[0], name);
				} catch (NoSuchFileException ended) {
					continue;
				}
			}
		}
	}
}
