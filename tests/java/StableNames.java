import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/**
 * Makes objects in lambdas, references to methods, proxies, method handles, reflection and an
 * anonymous class.
 *
 * <p>Argument: "shifted" to define other classes of these kinds first, so that numbers and
 * addresses differ.
 */
public class StableNames {
	interface Kind extends Supplier<Object> {}

	interface OtherKind extends Supplier<Object> {}

	static class Made {
		Made() {}
	}

	/* The JVM generates a class for what is called as often as that by reflection. */
	static final int OFTEN = 40;

	static Object kept;

	static Object made() {
		return new Made();
	}

	static Object proxy(Class<?> kind, Supplier<Object> body) {
		return Proxy.newProxyInstance(StableNames.class.getClassLoader(), new Class<?>[] {kind},
				(self, method, arguments) -> body.get());
	}

	static void reflect(String name) throws Exception {
		Method method = StableNames.class.getDeclaredMethod(name);
		Constructor<?> constructor = Made.class.getDeclaredConstructor();
		for (int i = 0; i < OFTEN; i++) {
			kept = method.invoke(null);
			kept = constructor.newInstance();
		}
	}

	static Object otherMade() {
		return null;
	}

	static void shift() throws Throwable {
		Supplier<Object> one = () -> kept;
		Supplier<Object> two = StableNames::otherMade;
		kept = one.get() == two.get();
		kept = ((Supplier<?>) proxy(OtherKind.class, two)).get();
		Method method = StableNames.class.getDeclaredMethod("otherMade");
		for (int i = 0; i < OFTEN; i++) {
			kept = method.invoke(null);
		}
		MethodHandle handle = MethodHandles.lookup().findStatic(StableNames.class, "otherMade",
				MethodType.methodType(Object.class));
		kept = MethodHandles.dropArguments(handle, 0, long.class, int.class, long.class)
				.invoke(1L, 2, 3L);
	}

	static void work() throws Throwable {
		Supplier<Object> lambda = () -> new Made();
		Supplier<Object> reference = StableNames::made;
		Supplier<Object> constructor = Made::new;
		Supplier<Object> anonymous = new Supplier<Object>() {
			@Override
			public Object get() {
				return new Made();
			}
		};
		Kind proxy = (Kind) proxy(Kind.class, lambda);
		MethodHandle handle = MethodHandles.dropArguments(MethodHandles.lookup().findStatic(
				StableNames.class, "made", MethodType.methodType(Object.class)), 0, int.class);
		kept = lambda.get();
		kept = reference.get();
		kept = constructor.get();
		kept = anonymous.get();
		kept = proxy.get();
		kept = handle.invoke(1);
		reflect("made");
	}

	public static void main(String[] arguments) throws Throwable {
		if (arguments.length > 0) {
			shift();
		}
		work();
	}
}
