/**
 * Code whose class files of old versions have subroutines (jsr and ret): a
 * compiler that still makes them (ecj -1.3 -target 1.1, or any target below 1.5)
 * gives them for finally. In a language old enough for such a compiler. Prints
 * one line that must be the same however its classes were rewritten.
 */
public class OldCode {
	static StringBuffer log = new StringBuffer();
	final int value;

	OldCode(int value) {
		this.value = value;
	}

	OldCode(String text) {
		this(text == null ? 0 : text.length() > 3 ? new OldCode(text.length()).value : 3);
		log.append('c').append(value);
	}

	static int leave(int how) throws Exception {
		try {
			try {
				if (how == 0)
					return 10;
				if (how == 1)
					throw new Exception("one");
				log.append('a');
			} finally {
				log.append('f').append(how);
				if (how == 3)
					throw new IllegalStateException("three");
			}
		} catch (IllegalStateException e) {
			return 30;
		} finally {
			log.append('g');
		}
		return 20;
	}

	static int loop(int n) {
		do {
			switch (n) {
			case 1000000:
				n -= 999998;
				break;
			case 5:
			case 6:
			case 7:
				n -= 3;
				break;
			case 8:
				n = 1000000;
				break;
			default:
				n--;
			}
		} while (n > 0);
		return n;
	}

	synchronized long wide(long first, double second) {
		synchronized (log) {
			for (int i = 0; i < 3; i++) {
				try {
					if (i == 1)
						continue;
					first += (long) second * i;
				} finally {
					second += 0.5;
				}
			}
		}
		return first;
	}

	public static void main(String[] args) throws Exception {
		for (int how = 0; how < 4; how++) {
			try {
				log.append(leave(how));
			} catch (Exception e) {
				log.append(e.getMessage());
			}
		}
		log.append(loop(9)).append(new OldCode("text").wide(7, 2.5)).append(new OldCode((String) null).value);
		System.out.println(log);
	}
}
