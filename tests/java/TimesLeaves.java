/*
 * Calls of methods that call nothing: of those that do surely nothing else either, and
 * of those in which the JVM may have to run a constructor or an initialiser.
 * usage: TimesLeaves N
 */
public final class TimesLeaves {
	static int sink;

	static final class Holder {
		static int value = start();

		static int start() {
			return 3;
		}
	}

	static final class Point {
		static int made;

		int x = 7;
		int y = 5;
		Point next;
		int[] values = new int[4];

		/* Leaves. */

		static void count() {
			made++;
		}

		int getX() {
			return x;
		}

		void setX(int to) {
			x = to;
		}

		int larger() {
			return x > y ? x : y;
		}

		String name() {
			return "point";
		}

		static int kind(int of) {
			switch (of) {
			case 0:
				return 5;
			default:
				return -1;
			}
		}

		/* None. */

		int nextX() {
			return next.x;
		}

		int value(int i) {
			return values[i];
		}

		int ratio(int by) {
			return x / by;
		}

		static int held() {
			return Holder.value;
		}
	}

	static int all(Point point, int i) {
		Point.count();
		point.setX(i);
		return point.getX() + point.larger() + point.name().length() + Point.kind(i & 3)
				+ point.nextX() + point.value(i & 3) + point.ratio(3) + Point.held();
	}

	static void fail(Point point) {
		try {
			point.next.nextX();
		} catch (NullPointerException e) {
			sink += point.getX();
		}
		try {
			point.value(-1);
		} catch (ArrayIndexOutOfBoundsException e) {
			sink += point.getX();
		}
		try {
			point.ratio(0);
		} catch (ArithmeticException e) {
			sink += point.getX();
		}
	}

	/** Not looked at. */
	static final class Expected {
		static void say(long count, String path) {
			TimesTruth.calls(TimesLeaves.class, count, path);
		}

		static void print(int n) {
			String point = "TimesLeaves$Point.";
			say(1, "main");
			say(1, "fail main");
			say(n, "all main");
			say(2, point + "<init> main");
			for (String name : new String[] {"count", "getX", "setX", "larger", "name", "kind",
					"nextX", "value", "ratio", "held"}) {
				say(n, point + name + " all main");
			}
			say(3, point + "getX fail main");
			say(1, point + "nextX fail main");
			say(1, point + "value fail main");
			say(1, point + "ratio fail main");
			say(1, "java.lang.NullPointerException.<init> " + point + "nextX fail main");
			say(1, "java.lang.ArrayIndexOutOfBoundsException.<init> " + point
					+ "value fail main");
			say(1, "java.lang.ArithmeticException.<init> " + point + "ratio fail main");
			say(1, "TimesLeaves$Holder.<clinit> " + point + "held all main");
			say(1, "TimesLeaves$Holder.start TimesLeaves$Holder.<clinit> " + point
					+ "held all main");
		}
	}

	public static void main(String[] args) {
		int n = Integer.parseInt(args[0]);
		Point point = new Point();
		point.next = new Point();
		fail(point);
		for (int i = 0; i < n; i++) {
			sink += all(point, i);
		}
		Expected.print(n);
	}
}
