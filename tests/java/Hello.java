/*
 * Writes known bytes to both streams and returns. Touches no more of the JVM
 * than it must, so that a run is short.
 */
public final class Hello {
	public static void main(String[] args) {
		for (int i = 0; i < 200; i++) {
			System.out.println("line " + i + " of stdout: " + Integer.toHexString(i * 40503));
		}
		System.err.println("one line of stderr");
	}
}
