import java.lang.reflect.InvocationTargetException;

/**
 * Runs another program and keeps the JVM at its end, in a shutdown hook, until standard
 * input ends. Arguments: the class, and its arguments.
 */
public final class HoldAtEnd {
	private HoldAtEnd() {
	}

	private static void hold() {
		System.out.println("held=end");
		try {
			while (System.in.read() >= 0) {
				// Until the end.
			}
		} catch (java.io.IOException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] arguments) throws Throwable {
		String[] rest = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
		Runtime.getRuntime().addShutdownHook(new Thread(HoldAtEnd::hold, "hold"));
		try {
			Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
		} catch (InvocationTargetException e) {
			throw e.getCause();
		}
	}
}
