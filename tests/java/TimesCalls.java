/*
 * Calls of known number at known depth: of one method from two others, in a chain,
 * in linear and in mutual recursion.
 * usage: TimesCalls N
 */
public final class TimesCalls {
	static final int CHAIN = 20;
	static final int LINEAR = 7;
	static final int MUTUAL = 10;
	static int sink;

	static void a() {
		sink++;
	}

	static void b() {
		a();
	}

	static void c() {
		a();
		a();
	}

	static void deep01() { deep02(); }
	static void deep02() { deep03(); }
	static void deep03() { deep04(); }
	static void deep04() { deep05(); }
	static void deep05() { deep06(); }
	static void deep06() { deep07(); }
	static void deep07() { deep08(); }
	static void deep08() { deep09(); }
	static void deep09() { deep10(); }
	static void deep10() { deep11(); }
	static void deep11() { deep12(); }
	static void deep12() { deep13(); }
	static void deep13() { deep14(); }
	static void deep14() { deep15(); }
	static void deep15() { deep16(); }
	static void deep16() { deep17(); }
	static void deep17() { deep18(); }
	static void deep18() { deep19(); }
	static void deep19() { deep20(); }
	static void deep20() { a(); }

	static void linear(int left) {
		if (left > 1) {
			linear(left - 1);
		} else {
			a();
		}
	}

	static boolean even(int n) {
		return n == 0 || odd(n - 1);
	}

	static boolean odd(int n) {
		return n != 0 && even(n - 1);
	}

	/** Not looked at. */
	static final class Expected {
		static void calls(long count, String path) {
			TimesTruth.calls(TimesCalls.class, count, path);
		}

		static void print(int n) {
			calls(1, "main");
			calls(n, "b main");
			calls(n, "c main");
			calls(n, "a b main");
			calls(2L * n, "a c main");
			StringBuilder chain = new StringBuilder("main");
			for (int i = 1; i <= CHAIN; i++) {
				chain.insert(0, String.format("deep%02d ", i));
				calls(n, chain.toString());
			}
			calls(n, "a " + chain);
			for (int i = 1; i <= LINEAR; i++) {
				calls(n, "linear*" + i + " main");
			}
			calls(n, "a linear*" + LINEAR + " main");
			StringBuilder turns = new StringBuilder("main");
			for (int i = 0; i <= MUTUAL; i++) {
				turns.insert(0, i % 2 == 0 ? "even " : "odd ");
				calls(n, turns.toString());
			}
		}
	}

	public static void main(String[] args) {
		int n = Integer.parseInt(args[0]);
		for (int i = 0; i < n; i++) {
			b();
			c();
			deep01();
			linear(LINEAR);
			even(MUTUAL);
		}
		Expected.print(n);
	}
}
