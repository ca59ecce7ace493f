/*
 * Makes objects of several kinds on two threads, drops them step by step, and has the garbage
 * collected. After each step it says how many of each kind are kept, then step=N, and waits for a
 * line. The first step drops few objects among many: collectors leave such ones where they are.
 * usage: LiveSteps COUNT, objects of each kind
 */
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

public final class LiveSteps {
	static final int THREADS = 2;
	static final int STEPS = 5;
	static final LiveSteps OUTER = new LiveSteps();
	static final Map<String, IntFunction<Object>> KINDS = new LinkedHashMap<>();
	static Object[][] kept;

	int number;

	static class Plain {
		int a;
		long b;
	}

	static class Left {
	}

	static class Right {
		final int value;

		Right(int value) {
			this.value = value;
		}
	}

	static class Pair {
		final Left left;
		final Right right;

		Pair(Left left, Right right) {
			this.left = left;
			this.right = right;
		}
	}

	class Inner {
		int value;

		int ofBoth() {
			return value + number;
		}
	}

	static final class Point {
		final int x;
		final int y;

		Point(int x, int y) {
			this.x = x;
			this.y = y;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Point && x == ((Point) other).x && y == ((Point) other).y;
		}

		@Override
		public int hashCode() {
			return Objects.hash(x, y);
		}
	}

	static class Part {
		byte value;
	}

	static class Base {
		final Part part;

		Base() {
			part = new Part();
		}
	}

	static class Sub extends Base {
		final long more;

		Sub(long more) {
			this.more = more;
		}
	}

	static Object plain(int i) {
		return new Plain();
	}

	static Object again(int i) {
		return new Plain();
	}

	static Object bytes(int i) {
		return new byte[40];
	}

	static Object matrix(int i) {
		return new long[2][3];
	}

	static Object pair(int i) {
		return new Pair(new Left(), new Right(i));
	}

	static Object inner(int i) {
		return OUTER.new Inner();
	}

	static Object point(int i) {
		return new Point(i, -i);
	}

	static Object sub(int i) {
		return new Sub(i);
	}

	static boolean drops(int step, String kind, int i) {
		switch (step) {
			case 0:
				return false;
			case 1:
				return i % 50 == 0 || kind.equals("again");
			case 2:
				return i % 3 == 0;
			case 3:
				return i % 3 == 1;
			default:
				return true;
		}
	}

	static void make(int first) {
		for (int i = first; i < kept[0].length; i += THREADS) {
			int kind = 0;
			for (IntFunction<Object> maker : KINDS.values()) {
				kept[kind++][i] = maker.apply(i);
			}
		}
	}

	static void drop(int step) {
		int kind = 0;
		for (String name : KINDS.keySet()) {
			int left = 0;
			Object[] objects = kept[kind];
			for (int i = 0; i < objects.length; i++) {
				if (drops(step, name, i + kind)) {
					objects[i] = null;
				}
				left += objects[i] != null ? 1 : 0;
			}
			Truth.say("kept." + step + "." + name, left);
			kind++;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		KINDS.put("plain", LiveSteps::plain);
		KINDS.put("again", LiveSteps::again);
		KINDS.put("bytes", LiveSteps::bytes);
		KINDS.put("matrix", LiveSteps::matrix);
		KINDS.put("pair", LiveSteps::pair);
		KINDS.put("inner", LiveSteps::inner);
		KINDS.put("point", LiveSteps::point);
		KINDS.put("sub", LiveSteps::sub);
		kept = new Object[KINDS.size()][Integer.parseInt(args[0])];
		Truth.say("pid", ProcessHandle.current().pid());
		Thread[] threads = new Thread[THREADS];
		for (int i = 0; i < THREADS; i++) {
			int first = i;
			threads[i] = new Thread(() -> make(first));
			threads[i].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		for (int step = 0; step < STEPS; step++) {
			drop(step);
			System.gc();
			Truth.say("step", step);
			Truth.waitForLine();
		}
	}
}
