/*
 * A program that is its own java.lang.instrument agent: it redefines and retransforms its class
 * Versioned as standard input says, and shows which version of it runs.
 *   redefine FILE   gives Versioned the class file FILE
 *   fail FILE       the same in one request with a class that the JVM refuses
 *   super           gives the superclass of Versioned its class file again
 *   transformer     adds a transformer of Versioned
 *   mark N          the transformer adds N to the version; -1: it leaves the class file alone
 *   retransform     retransforms Versioned
 *   version         shows its version, by three calls
 *   end
 * Each answers "did COMMAND=NUMBER": the version for that command, 1 otherwise.
 * usage: java -javaagent:JAR Redefined, where JAR names this class as agent
 */
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.ProtectionDomain;

class VersionedSuper {
	static int calls;
}

class Versioned extends VersionedSuper {
	/** Ten versions have the same upper bytes; the tests write others into the class file. */
	static long version() {
		return new long[] {7_000_000_010L}[0];
	}
}

public final class Redefined implements ClassFileTransformer {
	static final long BASE = 7_000_000_000L;
	static Instrumentation instrumentation;
	static volatile int mark = -1;

	public static void premain(String arguments, Instrumentation given) {
		instrumentation = given;
	}

	@Override
	public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
			ProtectionDomain domain, byte[] bytes) {
		if (!"Versioned".equals(name) || mark < 0) {
			return null;
		}
		ByteBuffer changed = ByteBuffer.wrap(bytes.clone());
		for (int at = 0; at + 8 <= bytes.length; at++) {
			long value = changed.getLong(at);
			if (value >= BASE && value < BASE + 1000) {
				changed.putLong(at, value + mark);
			}
		}
		return changed.array();
	}

	static byte[] file(String name) throws IOException {
		return Files.readAllBytes(Paths.get(name));
	}

	static byte[] original(Class<?> of) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (InputStream in = of.getResourceAsStream(of.getName() + ".class")) {
			for (int b = in.read(); b >= 0; b = in.read()) {
				bytes.write(b);
			}
		}
		return bytes.toByteArray();
	}

	static void fail(String name) throws Exception {
		byte[] notAClass = original(VersionedSuper.class);
		notAClass[0] = 0;
		try {
			instrumentation.redefineClasses(new ClassDefinition(Versioned.class, file(name)),
					new ClassDefinition(VersionedSuper.class, notAClass));
		} catch (ClassFormatError expected) {
			return;
		}
		throw new AssertionError("the JVM took both classes");
	}

	static long version() {
		long version = 0;
		for (int i = 0; i < 3; i++) {
			version = Versioned.version() - BASE;
		}
		return version;
	}

	static long run(String command, String argument) throws Exception {
		switch (command) {
		case "redefine":
			instrumentation.redefineClasses(
					new ClassDefinition(Versioned.class, file(argument)));
			break;
		case "fail":
			fail(argument);
			break;
		case "super":
			instrumentation.redefineClasses(new ClassDefinition(VersionedSuper.class,
					original(VersionedSuper.class)));
			break;
		case "transformer":
			instrumentation.addTransformer(new Redefined(), true);
			break;
		case "mark":
			mark = Integer.parseInt(argument);
			break;
		case "retransform":
			instrumentation.retransformClasses(Versioned.class);
			break;
		case "version":
			return version();
		default:
			throw new IllegalArgumentException(command);
		}
		return 1;
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		version();
		Truth.say("ready", 1);
		for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
			String[] words = line.split(" ", 2);
			long result = run(words[0], words.length > 1 ? words[1] : "");
			Truth.say("did " + words[0], result);
		}
	}
}
