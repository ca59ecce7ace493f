/*
 * Threads whose names could break a line of text or a string in UTF-8. The test
 * holds the same list.
 */
public final class OddNames {
	static final String[] NAMES = {
		"quote \" inside",
		"forged\", group=\"fake\")\nTHREAD END (id = 200001)",
		"line\nbreak\r\tand tab",
		"back\\slash",
		"Gr\u00fc\u00dfe \u65e5\u672c\u8a9e",
		"emoji \ud83d\ude00 pair",
		"lone \ud83d surrogate",
		"nul \u0000 inside",
		"escape \u001b[31m red",
		"",
		"long " + "x".repeat(3000),
	};

	public static void main(String[] args) throws InterruptedException {
		for (String name : NAMES) {
			Thread thread = new Thread(() -> Burn.work(20_000_000), name);
			thread.start();
			thread.join();
		}
	}
}
