import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Makes objects in code of hidden classes, which the JVM shows no agent: those of references to
 * constructors, and of lambdas that have something of their makers'.
 *
 * <p>Arguments: objects of each kind.
 */
public class SitesHidden {
	static class ByReference {
		int value;
	}

	static class ByReferenceWithArgument {
		final Object value;

		ByReferenceWithArgument(Object value) {
			this.value = value;
		}
	}

	static class Element {}

	static Object[] kept;
	static int at;

	static void references(int count) {
		Supplier<ByReference> one = ByReference::new;
		Function<Object, ByReferenceWithArgument> two = ByReferenceWithArgument::new;
		IntFunction<Element[]> three = Element[]::new;
		for (int i = 0; i < count; i++) {
			kept[at++] = one.get();
			kept[at++] = two.apply(one);
			kept[at++] = three.apply(3);
		}
	}

	static void lambdas(int count) {
		for (int i = 0; i < count; i++) {
			int value = i;
			IntFunction<Integer> adder = x -> x + value;
			kept[at++] = adder;
		}
	}

	public static void main(String[] arguments) {
		int count = Integer.parseInt(arguments[0]);
		kept = new Object[4 * count];
		references(count);
		lambdas(count);
		System.out.println(at);
	}
}
