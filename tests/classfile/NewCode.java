import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Code in which much depends on where instructions are: stack map frames of all
 * kinds, uninitialised objects across branches, constructors that branch before
 * super(), switches, loops to the first instruction, handlers within handlers,
 * type annotations on locals, casts, new and catch. Prints one line that must be
 * the same however its classes were rewritten.
 */
public class NewCode {
	@Target(ElementType.TYPE_USE)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Seen {
		int[] value() default {1, 2};
	}

	static final StringBuilder log = new StringBuilder();

	static class Base {
		final Object kept;

		Base(Object kept) {
			if (kept == null)
				throw new IllegalArgumentException("base");
			this.kept = kept;
		}
	}

	static class Derived extends Base {
		final long number;

		Derived(boolean flag, long number, String text) {
			super(flag ? new StringBuilder(text == null ? "null" : text) : text);
			this.number = number;
		}

		Derived(String text, double ratio) {
			this(ratio > 1 || text.isEmpty(), ratio > 2 ? (long) ratio : 5L,
					ratio < 0 ? null : new String(text.toCharArray(), 0, ratio > 3 ? 1 : 2));
			log.append(kept).append(number);
		}
	}

	record Point(int x, int y) {
		Point {
			if (x > y)
				throw new IllegalStateException("order");
		}
	}

	static int loopAtStart(int n) {
		while (n > 3)
			n = (n & 1) == 0 ? n / 2 : n - 1;
		return n;
	}

	static <T> int annotated(List<T> list) {
		@Seen int sum = 0;
		for (@Seen(3) Object each : list) {
			@Seen String text = (@Seen String) each.toString();
			if (each instanceof @Seen Integer)
				sum += ((@Seen Integer) each).intValue();
			else
				sum += new @Seen ArrayList<@Seen String>(List.of(text)).size();
		}
		Supplier<@Seen ArrayList<T>> supplier = @Seen ArrayList<T>::new;
		try (@Seen AutoCloseable closed = () -> log.append('!')) {
			sum += supplier.get().size();
		} catch (@Seen RuntimeException | @Seen Error e) {
			log.append(e);
		} catch (Exception e) {
			log.append(e.getMessage());
		}
		return NewCode.<@Seen Integer>same(sum);
	}

	static <T> T same(T value) {
		return value;
	}

	static String choose(Object value, int a, long b, double c, float d) {
		for (int i = 0;; i++) {
			long sum = a + b;
			switch (i) {
			case 0:
				if (value == null)
					continue;
				sum += i;
			case 1:
				double half = c / 2;
				if (half > sum)
					return "half";
				break;
			case 2:
				float more = d * 2;
				String text = value instanceof String ? (String) value : "" + more;
				if (text.length() > 2)
					return text;
				break;
			case Integer.MAX_VALUE:
				return "never";
			default:
				return "after " + i;
			}
		}
	}

	static int nested(int how) {
		int result = 0;
		try {
			try {
				result += 100 / (how - 1);
				if (how == 2)
					throw new IllegalStateException("two");
				synchronized (log) {
					if (how == 3)
						return result + new int[how].length + new long[2][3].length;
				}
			} catch (ArithmeticException e) {
				result += 7;
				if (how == 1)
					throw new UnsupportedOperationException(e);
			} finally {
				log.append('[').append(how).append(']');
			}
		} catch (IllegalStateException | UnsupportedOperationException e) {
			result += e.getCause() == null ? 1 : 2;
		}
		return result;
	}

	static int deep(int n) {
		return n == 0 ? 0 : 1 + deep(n - 1);
	}

	static boolean overflow() {
		try {
			return deep(100_000_000) > 0;
		} catch (StackOverflowError e) {
			return true;
		}
	}

	static int thrown(int n) throws Exception {
		if (n == 0)
			throw new Exception("bottom");
		try {
			return thrown(n - 1) + 1;
		} finally {
			log.append(n);
		}
	}

	static void run() throws Exception {
		log.append(loopAtStart(1000)).append(annotated(List.of(4, "x", 5L)));
		log.append(choose(null, 1, 2, 100, 3)).append(choose("a", 5, 6, 1, 2))
				.append(choose("abc", 5, 6, 1, 2));
		for (int how = 0; how < 5; how++)
			log.append(nested(how));
		new Derived("hello", 0.5);
		new Derived("hello", 4.5);
		new Derived("hello", 2.5);
		try {
			new Derived(false, 1, null);
		} catch (IllegalArgumentException e) {
			log.append(e.getMessage());
		}
		try {
			log.append(new Point(1, 2)).append(new Point(3, 2));
		} catch (IllegalStateException e) {
			log.append(e.getMessage());
		}
		try {
			thrown(5);
		} catch (Exception e) {
			log.append(e.getMessage());
		}
		Callable<Integer> callable = () -> deep(50);
		log.append(callable.call()).append(overflow());
	}

	public static void main(String[] args) throws Exception {
		run();
		System.out.println(log);
	}
}
