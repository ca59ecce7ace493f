/*
 * Rounds of calls that go on while profiles are dumped: each round says when it
 * begins, and lasts until half a second of CPU time has gone by.
 * usage: TimesDumps ROUNDS
 */
public final class TimesDumps {
	static volatile long sink;
	static long leaves;

	static long leaf(long x) {
		leaves++;
		for (int i = 0; i < 1000; i++) {
			x = x * 6364136223846793005L + (i ^ (x >>> 7));
		}
		return x;
	}

	static long work() {
		long start = Truth.cpuNs();
		long used = 0;
		while (used < 500_000_000) {
			for (int i = 0; i < 50; i++) {
				sink = leaf(sink);
			}
			used = Truth.cpuNs() - start;
		}
		return used;
	}

	public static void main(String[] args) {
		int rounds = Integer.parseInt(args[0]);
		long used = Truth.cpuNs() * 0;
		long most = 0;
		for (int i = 0; i < rounds; i++) {
			Truth.say("round", i);
			long start = Truth.cpuNs();
			used += work();
			most += Truth.cpuNs() - start;
		}
		Class<?> in = TimesDumps.class;
		TimesTruth.calls(in, 1, "main");
		TimesTruth.calls(in, rounds, "work main");
		TimesTruth.calls(in, leaves, "leaf work main");
		Truth.say("work.cpu_ns", used);
		Truth.say("work.most_ns", most);
	}
}
