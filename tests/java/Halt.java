/* Burns a known CPU time, then ends by Runtime.halt(4), which runs no shutdown hook. */
public final class Halt {
	public static void main(String[] args) {
		Burn.work(Long.parseLong(args[0]) * 1_000_000);
		System.out.println("halting");
		Runtime.getRuntime().halt(4);
	}
}
