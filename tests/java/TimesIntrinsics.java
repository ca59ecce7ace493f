/*
 * Calls known numbers of times methods that compilers replace by code of their own, each
 * from a method of its own, and some of them in ways that no call site names.
 * usage: TimesIntrinsics N
 */
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

public final class TimesIntrinsics {
	static int sum;
	static double real;
	static Object last;

	static void max(int n) {
		for (int i = 0; i < n; i++)
			sum += Math.max(i, 100);
	}

	static void sqrt(int n) {
		for (int i = 0; i < n; i++)
			real += Math.sqrt(i);
	}

	static void sin(int n) {
		for (int i = 0; i < n; i++)
			real += Math.sin(i);
	}

	static void exact(int n) {
		for (int i = 0; i < n; i++)
			sum = Math.addExact(sum & 0xffff, i);
	}

	static void bits(int n) {
		for (int i = 0; i < n; i++)
			sum += Integer.bitCount(i);
	}

	static void box(int n) {
		for (int i = 0; i < n; i++) {
			Integer boxed = i;
			sum += boxed;
		}
	}

	static void build(int n) {
		for (int i = 0; i < n; i++) {
			String built = new StringBuilder().append("a").append(i).append('c').toString();
			sum += built.length();
		}
	}

	static void cast(int n) {
		Class<?> string = String.class;
		for (int i = 0; i < n; i++)
			last = string.cast("s");
	}

	static void copy(int n) {
		Object[] from = new Object[3];
		for (int i = 0; i < n; i++)
			last = Arrays.copyOf(from, 4, Object[].class);
	}

	/* A constructor calls one before it calls its superclass's. */
	static class Base {
		final int value;

		Base(int value) {
			this.value = value;
		}
	}

	static final class Derived extends Base {
		Derived(int value) {
			super(Math.min(value, 7));
		}
	}

	static void construct(int n) {
		for (int i = 0; i < n; i++)
			sum += new Derived(i).value;
	}

	static void bridge(int n) throws Exception {
		for (int i = 0; i < n; i++) {
			Appendable appendable = new StringBuilder("x");
			last = appendable.append('y');
		}
	}

	/* No call site names Math.max, nor Integer's intValue. */
	static void reflect(int n) throws Exception {
		java.lang.reflect.Method max = Math.class.getMethod("max", int.class, int.class);
		for (int i = 0; i < n; i++)
			last = max.invoke(null, 1, 2);
	}

	static void handle(int n) throws Throwable {
		MethodHandle max = MethodHandles.lookup().findStatic(Math.class, "max",
			MethodType.methodType(int.class, int.class, int.class));
		for (int i = 0; i < n; i++)
			sum += (int) max.invokeExact(i, 3);
	}

	static void number(int n) {
		Number boxed = 12345;
		for (int i = 0; i < n; i++)
			sum += boxed.intValue();
	}

	public static void main(String[] args) throws Throwable {
		int n = Integer.parseInt(args[0]);
		for (int round = 0; round < 10; round++) {
			max(n / 10);
			sqrt(n / 10);
			sin(n / 10);
			exact(n / 10);
			bits(n / 10);
			box(n / 10);
			build(n / 10);
			cast(n / 10);
			copy(n / 10);
			construct(n / 10);
			bridge(n / 10);
			reflect(n / 10);
			handle(n / 10);
			number(n / 10);
		}
	}
}
