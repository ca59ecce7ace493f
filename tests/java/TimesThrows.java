/*
 * Exceptions on every third call, caught at all kinds of places; each place calls
 * a method of its own afterwards, so that a wrong open call shows.
 * usage: TimesThrows N, a multiple of 3
 */
public final class TimesThrows {
	static int sink;

	static final class Signal extends RuntimeException {
		private static final long serialVersionUID = 1L;

		Signal() {
			super(null, null, false, false);
		}
	}

	static final Signal SIGNAL = new Signal();

	static void third(int i) {
		if (i % 3 == 0) {
			throw SIGNAL;
		}
		sink++;
	}

	/* Caught in the caller. */

	static void afterNear() {
		sink++;
	}

	static void near(int i) {
		try {
			third(i);
		} catch (Signal e) {
			afterNear();
		}
		afterNear();
	}

	/* Three frames up. */

	static void afterFar() {
		sink++;
	}

	static void far3(int i) {
		third(i);
		afterFar();
	}

	static void far2(int i) {
		far3(i);
	}

	static void far1(int i) {
		far2(i);
	}

	static void far(int i) {
		try {
			far1(i);
		} catch (Signal e) {
			afterFar();
		}
	}

	/* Through a finally, to the caller's catch. */

	static void inFinally() {
		sink++;
	}

	static void afterFinally() {
		sink++;
	}

	static void finallyInner(int i) {
		try {
			third(i);
		} finally {
			inFinally();
		}
	}

	static void finallyOuter(int i) {
		try {
			finallyInner(i);
		} catch (Signal e) {
			afterFinally();
		}
	}

	/* Caught, thrown on by the handler, and another thrown in its place. */

	static void inRethrow() {
		sink++;
	}

	static void afterRethrow() {
		sink++;
	}

	static void rethrowInner(int i) {
		try {
			third(i);
		} catch (Signal e) {
			inRethrow();
			throw e;
		}
	}

	static void rethrowMiddle(int i) {
		try {
			rethrowInner(i);
		} catch (Signal e) {
			inRethrow();
			throw new IllegalStateException();
		}
	}

	static void rethrowOuter(int i) {
		try {
			rethrowMiddle(i);
		} catch (IllegalStateException e) {
			afterRethrow();
		}
	}

	/* A finally that drops the exception by returning. */

	static int afterDrop() {
		return sink++;
	}

	@SuppressWarnings("finally")
	static int drop(int i) {
		try {
			third(i);
			return 1;
		} finally {
			return afterDrop();
		}
	}

	/* Out of synchronized code, whose handler is the compiler's. */

	static void afterLock() {
		sink++;
	}

	static synchronized void lockedMethod(int i) {
		third(i);
	}

	static void lockedBlock(int i) {
		synchronized (SIGNAL) {
			lockedMethod(i);
		}
	}

	static void lock(int i) {
		try {
			lockedBlock(i);
		} catch (Signal e) {
			afterLock();
		}
	}

	/* Out of constructors, before and after super(). */

	static class Base {
		Base(int i, boolean late) {
			if (late) {
				third(i);
			}
		}
	}

	static final class Early extends Base {
		Early(int i) {
			super(argument(i), false);
			sink++;
		}

		static int argument(int i) {
			third(i);
			return i;
		}
	}

	static final class Late extends Base {
		Late(int i) {
			super(i, true);
			sink++;
		}
	}

	static final class Own extends Base {
		Own(int i) {
			super(i, false);
			third(i);
		}
	}

	static void afterConstructor() {
		sink++;
	}

	static void constructors(int i) {
		try {
			new Early(i);
		} catch (Signal e) {
			afterConstructor();
		}
		try {
			new Late(i);
		} catch (Signal e) {
			afterConstructor();
		}
		try {
			new Own(i);
		} catch (Signal e) {
			afterConstructor();
		}
	}

	/* Out of a static initialiser, and what using the class gives later. */

	static final class Broken {
		static int value = fail();

		static int fail() {
			throw SIGNAL;
		}

		static void use() {
			sink++;
		}
	}

	static void afterBroken() {
		sink++;
	}

	static void broken() {
		try {
			Broken.use();
		} catch (ExceptionInInitializerError | NoClassDefFoundError e) {
			afterBroken();
		}
	}

	/* Thrown by the VM itself, and by a native method. */

	static void afterVm() {
		sink++;
	}

	static int divide(int by) {
		return 1 / by;
	}

	static Object element(Object[] array, int i) {
		return array[i];
	}

	static void copy(Object from) {
		System.arraycopy(from, 0, new int[2], 0, 2);
	}

	static void vm(int i) {
		try {
			divide(i % 3);
		} catch (ArithmeticException e) {
			afterVm();
		}
		try {
			element(new Object[2], i % 3);
		} catch (ArrayIndexOutOfBoundsException e) {
			afterVm();
		}
		try {
			copy(i % 3 == 0 ? new long[2] : new int[2]);
		} catch (ArrayStoreException e) {
			afterVm();
		}
	}

	/** Not looked at. */
	static final class Expected {
		static void say(long count, String path) {
			TimesTruth.calls(TimesThrows.class, count, path);
		}

		static void print(int n) {
			int thrown = n / 3;
			String nested = "TimesThrows$";

			say(1, "main");
			say(1, "<clinit>");
			say(1, nested + "Signal.<init> <clinit>");
			say(n, "near main");
			say(n, "third near main");
			say(n + thrown, "afterNear near main");

			say(n, "far main");
			say(n, "far1 far main");
			say(n, "far2 far1 far main");
			say(n, "far3 far2 far1 far main");
			say(n, "third far3 far2 far1 far main");
			say(n - thrown, "afterFar far3 far2 far1 far main");
			say(thrown, "afterFar far main");

			say(n, "finallyOuter main");
			say(n, "finallyInner finallyOuter main");
			say(n, "third finallyInner finallyOuter main");
			say(n, "inFinally finallyInner finallyOuter main");
			say(thrown, "afterFinally finallyOuter main");

			say(n, "rethrowOuter main");
			say(n, "rethrowMiddle rethrowOuter main");
			say(n, "rethrowInner rethrowMiddle rethrowOuter main");
			say(n, "third rethrowInner rethrowMiddle rethrowOuter main");
			say(thrown, "inRethrow rethrowInner rethrowMiddle rethrowOuter main");
			say(thrown, "inRethrow rethrowMiddle rethrowOuter main");
			say(thrown, "afterRethrow rethrowOuter main");

			say(n, "drop main");
			say(n, "third drop main");
			say(n, "afterDrop drop main");

			say(n, "lock main");
			say(n, "lockedBlock lock main");
			say(n, "lockedMethod lockedBlock lock main");
			say(n, "third lockedMethod lockedBlock lock main");
			say(thrown, "afterLock lock main");

			String early = nested + "Early.";
			String late = nested + "Late.";
			String own = nested + "Own.";
			String base = nested + "Base.<init> ";
			say(n, "constructors main");
			say(n, early + "<init> constructors main");
			say(n, early + "argument " + early + "<init> constructors main");
			say(n, "third " + early + "argument " + early + "<init> constructors main");
			say(n - thrown, base + early + "<init> constructors main");
			say(n, late + "<init> constructors main");
			say(n, base + late + "<init> constructors main");
			say(n, "third " + base + late + "<init> constructors main");
			say(n, own + "<init> constructors main");
			say(n, base + own + "<init> constructors main");
			say(n, "third " + own + "<init> constructors main");
			say(3L * thrown, "afterConstructor constructors main");

			say(n, "broken main");
			say(1, nested + "Broken.<clinit> broken main");
			say(1, nested + "Broken.fail " + nested + "Broken.<clinit> broken main");
			say(n, "afterBroken broken main");

			say(n, "vm main");
			say(n, "divide vm main");
			say(n, "element vm main");
			say(n, "copy vm main");
			say(3L * thrown, "afterVm vm main");
		}
	}

	public static void main(String[] args) {
		int n = Integer.parseInt(args[0]);
		for (int i = 0; i < n; i++) {
			near(i);
			far(i);
			finallyOuter(i);
			rethrowOuter(i);
			drop(i);
			lock(i);
			constructors(i);
			broken();
			vm(i);
		}
		Expected.print(n);
	}
}
