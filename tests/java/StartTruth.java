import java.io.FileInputStream;
import java.io.IOException;

/*
 * Says how much CPU time its thread has used when main() begins, by the system's account of it,
 * which takes few classes to read, and uses some more. Linux.
 */
public final class StartTruth {
	static volatile int sink;

	private StartTruth() {
	}

	static long cpuNs() throws IOException {
		try (FileInputStream in = new FileInputStream("/proc/thread-self/schedstat")) {
			long ns = 0;
			for (int digit = in.read(); digit > ' '; digit = in.read()) {
				ns = 10 * ns + digit - '0';
			}
			return ns;
		}
	}

	public static void main(String[] args) throws IOException {
		long begun = cpuNs();
		for (int i = 0; i < 50_000_000; i++) {
			sink = i;
		}
		System.out.println("begun.cpu_ns=" + begun);
	}
}
