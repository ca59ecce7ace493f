/*
 * Calls that come by other ways than an invoke instruction of the program: through
 * reflection, lambdas, method references, interfaces, native methods, other class
 * loaders, and constructors of Object and Thread.
 * usage: TimesWays N
 */
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;

public final class TimesWays {
	static int sink;

	interface Shape {
		default int area() {
			return inner();
		}

		int inner();

		static int fixed() {
			return 4;
		}
	}

	static final class Square implements Shape {
		@Override
		public int inner() {
			return 3;
		}
	}

	static final class Own implements Shape {
		@Override
		public int area() {
			return Shape.super.area() + 1;
		}

		@Override
		public int inner() {
			return 5;
		}
	}

	/** Loaded by a loader of its own, many times. */
	public static final class Loaded implements Runnable {
		@Override
		public void run() {
			work();
		}

		static int done;

		static void work() {
			done++;
		}
	}

	static final class Loader extends ClassLoader {
		Loader() {
			super(TimesWays.class.getClassLoader());
		}

		Runnable make() throws Exception {
			String name = Loaded.class.getName();
			try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
				byte[] bytes = in.readAllBytes();
				Class<?> made = defineClass(name, bytes, 0, bytes.length);
				return (Runnable) made.getDeclaredConstructor().newInstance();
			}
		}
	}

	public static int target(int i) {
		return sink += i;
	}

	static int referenced(int i) {
		return i + 1;
	}

	synchronized int locked(int i) {
		return i;
	}

	static synchronized int lockedStatic(int i) {
		return i;
	}

	static int compares;

	static int compare(Integer a, Integer b) {
		compares++;
		return Integer.compare(a, b);
	}

	static int apply(IntUnaryOperator operator, int i) {
		return operator.applyAsInt(i);
	}

	static void objects(int n) {
		for (int i = 0; i < n; i++) {
			new Object();
		}
	}

	static void interfaces(int n) {
		Shape square = new Square();
		Shape own = new Own();
		for (int i = 0; i < n; i++) {
			sink += square.area() + own.area() + Shape.fixed();
		}
	}

	/**
	 * The only lambda of this class: some compilers number lambdas' methods by class,
	 * others by the method that the lambda is in.
	 */
	static void lambdas(int n) {
		int captured = n;
		for (int i = 0; i < n; i++) {
			apply(x -> referenced(x) + captured, i);
			apply(TimesWays::referenced, i);
		}
	}

	static void locks(int n) {
		TimesWays self = new TimesWays();
		for (int i = 0; i < n; i++) {
			self.locked(i);
			lockedStatic(i);
		}
	}

	static void reflection(int n) throws Exception {
		Method method = TimesWays.class.getMethod("target", int.class);
		for (int i = 0; i < n; i++) {
			method.invoke(null, i);
		}
	}

	static void handles(int n) throws Throwable {
		MethodHandle handle = MethodHandles.lookup().findStatic(TimesWays.class, "target",
			MethodType.methodType(int.class, int.class));
		for (int i = 0; i < n; i++) {
			sink += (int) handle.invokeExact(i);
		}
	}

	static Object handled(Object self, Method method, Object[] arguments) {
		target(1);
		return null;
	}

	static void proxies(int n) {
		Runnable proxy = (Runnable) Proxy.newProxyInstance(TimesWays.class.getClassLoader(),
			new Class<?>[] {Runnable.class}, TimesWays::handled);
		for (int i = 0; i < n; i++) {
			proxy.run();
		}
	}

	static void loaders(int n) throws Exception {
		for (int i = 0; i < 5; i++) {
			Runnable loaded = new Loader().make();
			for (int j = 0; j < n; j++) {
				loaded.run();
			}
		}
	}

	static void sorting(int n) {
		List<Integer> list = new ArrayList<>();
		for (int i = 0; i < n; i++) {
			list.add(i * 7919 % n);
		}
		Integer[] array = list.toArray(new Integer[0]);
		Arrays.sort(array, TimesWays::compare);
		Collections.sort(list, TimesWays::compare);
	}

	static int permitted() {
		return referenced(1);
	}

	@SuppressWarnings({"deprecation", "removal"})
	static void privileged(int n) {
		for (int i = 0; i < n; i++) {
			java.security.AccessController.doPrivileged(
				(java.security.PrivilegedAction<Integer>) TimesWays::permitted);
		}
	}

	static final class Initialised {
		static final int VALUE = value();

		static int value() {
			return sink;
		}
	}

	static void initialiser() throws ClassNotFoundException {
		Class.forName("TimesWays$Initialised");
		sink += Initialised.VALUE;
	}

	/** Not looked at. */
	static final class Expected {
		static void say(long count, String path) {
			TimesTruth.calls(TimesWays.class, count, path);
		}

		static void print(int n) {
			String in = "TimesWays$";
			say(1, "main");
			say(1, "objects main");
			say(n, "java.lang.Object.<init> objects main");

			say(1, "interfaces main");
			say(1, in + "Square.<init> interfaces main");
			say(1, in + "Own.<init> interfaces main");
			say(n, in + "Shape.area interfaces main");
			say(n, in + "Square.inner " + in + "Shape.area interfaces main");
			say(n, in + "Own.area interfaces main");
			say(n, in + "Shape.area " + in + "Own.area interfaces main");
			say(n, in + "Own.inner " + in + "Shape.area " + in + "Own.area interfaces main");
			say(n, in + "Shape.fixed interfaces main");

			say(1, "lambdas main");
			say(2L * n, "apply lambdas main");
			say(n, "lambda$lambdas$0 apply lambdas main");
			say(n, "referenced lambda$lambdas$0 apply lambdas main");
			say(n, "referenced apply lambdas main");

			say(1, "locks main");
			say(1, "<init> locks main");
			say(n, "locked locks main");
			say(n, "lockedStatic locks main");

			say(1, "reflection main");
			say(n, "target ~ reflection main");
			say(1, "handles main");
			say(n, "target ~ handles main");
			say(1, "proxies main");
			say(n, "handled ~ proxies main");
			say(n, "target handled ~ proxies main");

			say(1, "loaders main");
			say(5, in + "Loader.<init> loaders main");
			say(5, in + "Loader.make loaders main");
			say(5, in + "Loaded.<init> ~ " + in + "Loader.make loaders main");
			say(5L * n, in + "Loaded.run loaders main");
			say(5L * n, in + "Loaded.work " + in + "Loaded.run loaders main");

			say(1, "sorting main");
			say(compares, "compare ~ sorting main");
			say(1, "privileged main");
			say(n, "permitted ~ privileged main");
			say(n, "referenced permitted ~ privileged main");
			say(1, "initialiser main");
			say(1, in + "Initialised.<clinit> ~ initialiser main");
			say(1, in + "Initialised.value " + in + "Initialised.<clinit> ~ initialiser main");
		}
	}

	public static void main(String[] args) throws Throwable {
		int n = Integer.parseInt(args[0]);
		objects(n);
		interfaces(n);
		lambdas(n);
		locks(n);
		reflection(n);
		handles(n);
		proxies(n);
		loaders(n);
		sorting(n);
		privileged(n);
		initialiser();
		Expected.print(n);
	}
}
