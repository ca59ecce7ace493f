/*
 * Calls of a few methods, each along one known chain of callers, that spend their time
 * where stacks are hard to walk: in methods that are entered and left all the time,
 * compiled and interpreted by turns, in stubs, in the VM, and in exceptions.
 * usage: StackTruth MS
 */
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;

public final class StackTruth {
	static Object[] objects = {"text", 1, 2L, 'c', new int[0], new StringBuilder(), 1.5, (byte) 1};
	static Object[] copy = new Object[64];
	static byte[] bytes = new byte[200];
	static volatile Object kept;
	static volatile long sum;
	static int depth;

	static final String TEXT = "ab".repeat(100) + "needle";
	static final String OTHER_TEXT = "ab".repeat(100) + "x";
	static final String WIDE_TEXT = "a\u1234".repeat(100) + "needle\u1235";
	static final String WIDE = "needle\u1235";
	static final BigInteger NUMBER = BigInteger.ONE.shiftLeft(500).subtract(BigInteger.TEN);
	static MessageDigest sha512 = digest("SHA-512");
	static MessageDigest md5 = digest("MD5");
	static CRC32 crc = new CRC32();

	static MessageDigest digest(String algorithm) {
		try {
			return MessageDigest.getInstance(algorithm);
		} catch (NoSuchAlgorithmException e) {
			throw new IllegalStateException(e);
		}
	}

	interface Shape {
		int sides(int i);
	}

	static final class Square implements Shape {
		public int sides(int i) {
			return i + 4;
		}
	}

	static final class Triangle implements Shape {
		public int sides(int i) {
			return i - 3;
		}
	}

	static final class Hexagon implements Shape, Comparable<Hexagon> {
		public int sides(int i) {
			return i * 6;
		}

		@Override
		public int compareTo(Hexagon other) {
			return 0;
		}
	}

	static final Shape[] SHAPES = {new Square(), new Triangle(), new Hexagon()};

	static int small(int i) {
		return i * 31 + 7;
	}

	static int entering(int i) {
		int x = i;
		for (int n = 0; n < 40; n++) {
			x = small(x);
		}
		return x;
	}

	static int dispatching(int i) {
		int x = i;
		for (int n = 0; n < 40; n++) {
			x = SHAPES[n % SHAPES.length].sides(x);
		}
		return x;
	}

	static int casting(int i) {
		int x = 0;
		for (int n = 0; n < 40; n++) {
			Object object = objects[(i + n) % objects.length];
			x += object instanceof Comparable ? 1 : object instanceof CharSequence ? 2 : 3;
		}
		return x;
	}

	static int copying(int i) {
		System.arraycopy(objects, 0, copy, i & 31, objects.length);
		System.arraycopy(bytes, i & 7, bytes, i & 15, 150);
		return copy.length;
	}

	static int allocating(int i) {
		Object[] array = new Object[16 + (i & 255)];
		array[0] = new StackTruth();
		kept = array;
		return array.length;
	}

	static int throwing(int i) {
		try {
			return failing(i);
		} catch (IllegalStateException e) {
			return i;
		}
	}

	static int failing(int i) {
		throw new IllegalStateException();
	}

	static synchronized int locking(int i) {
		return small(i);
	}

	/* Stubs without a frame that the JVM describes, and code that pushes words on a method's frame. */
	static int searching(int i) {
		return TEXT.indexOf("needle") + WIDE_TEXT.indexOf(WIDE) + TEXT.compareTo(OTHER_TEXT);
	}

	static int hashing(int i) {
		sha512.update(bytes, 0, 150);
		md5.update(bytes, 0, 150);
		crc.update(bytes, 0, 200);
		return (int) crc.getValue();
	}

	static int calculating(int i) {
		double x = Math.sin(i * 1.1) + Math.pow(i & 1023, 1.7) + Math.log(i + 2.0) + i * 1e9 % 3.7;
		return NUMBER.multiply(NUMBER).bitLength() + (int) x;
	}

	static int descending(int i) {
		return i == 0 ? small(depth) : descending(i - 1) + 1;
	}

	static int calling(int i) {
		switch (i >> 3 & 15) {
		case 0:
			return searching(i);
		case 1:
			return hashing(i);
		case 2:
			return calculating(i);
		default:
			return small(i);
		}
	}

	static int inner(int i) {
		switch (i & 7) {
		case 0:
			return entering(i);
		case 1:
			return dispatching(i);
		case 2:
			return casting(i);
		case 3:
			return copying(i);
		case 4:
			return allocating(i);
		case 5:
			return (i & 63) == 5 ? throwing(i) : calling(i);
		case 6:
			return locking(i);
		default:
			return descending(10);
		}
	}

	static int middle(int i) {
		return inner(i) + 1;
	}

	static int outer(int i) {
		return middle(i) + 1;
	}

	static void chain(long cpuNs) {
		long end = Truth.cpuNs() + cpuNs;
		while (Truth.cpuNs() < end) {
			for (int i = 0; i < 2000; i++) {
				sum += outer(i);
			}
		}
	}

	public static void main(String[] args) {
		chain(Long.parseLong(args[0]) * 1_000_000);
		Truth.say("main.cpu_ns", Truth.cpuNs());
	}
}
