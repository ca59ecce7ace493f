/*
 * Prints what a program can see of its own classes and stack, all of which must be
 * as it is without an agent.
 * usage: TimesOutput EXIT_CODE
 */
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

public final class TimesOutput {
	final int value;

	TimesOutput(int value) {
		this.value = value;
		if (value < 0) {
			throw new IllegalArgumentException("value " + value);
		}
	}

	static void thrower(int depth) {
		if (depth == 0) {
			int[] none = new int[0];
			none[1] = 2;
		}
		try {
			thrower(depth - 1);
		} catch (ArrayIndexOutOfBoundsException e) {
			throw new IllegalStateException("at " + depth, e);
		} finally {
			System.out.println("finally " + depth);
		}
	}

	static void show(Throwable thrown) {
		thrown.printStackTrace(System.out);
	}

	static void walk() {
		StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(
			frame -> System.out.println(frame.toStackTraceElement()));
		System.out.println(Thread.currentThread().getStackTrace().length);
	}

	static void members(Class<?> of) {
		Method[] methods = of.getDeclaredMethods();
		Arrays.sort(methods, Comparator.comparing(Method::toString));
		for (Method method : methods) {
			System.out.println(method + " " + method.getModifiers());
		}
		System.out.println(Arrays.toString(of.getDeclaredFields()));
		System.out.println(Arrays.toString(of.getDeclaredConstructors()));
		System.out.println(Arrays.toString(of.getInterfaces()));
	}

	public static void main(String[] args) {
		try {
			thrower(3);
		} catch (IllegalStateException e) {
			show(e);
		}
		try {
			new TimesOutput(-1);
		} catch (IllegalArgumentException e) {
			show(e);
		}
		try {
			((Object) "text").wait();
		} catch (IllegalMonitorStateException | InterruptedException e) {
			System.out.println(e);
		}
		try {
			Object text = "text";
			System.out.println((Integer) text);
		} catch (ClassCastException e) {
			show(e);
		}
		walk();
		for (Class<?> of : new Class<?>[] {TimesOutput.class, Object.class, Thread.class,
			String.class, Runtime.class}) {
			members(of);
		}
		Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
		System.err.println("to stderr");
		System.exit(Integer.parseInt(args[0]));
	}
}
