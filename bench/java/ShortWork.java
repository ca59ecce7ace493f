/*
 * Prints one line and returns: what an agent adds to the start and the end of a program.
 */
public final class ShortWork {
	private ShortWork() {
	}

	public static void main(String[] args) {
		System.out.println("one line");
	}
}
