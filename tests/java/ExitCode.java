/* Ends by System.exit(3) from a thread that isn't main. */
public final class ExitCode {
	public static void main(String[] args) throws InterruptedException {
		Thread thread = new Thread(() -> {
			System.out.println("exiting");
			System.exit(3);
		}, "exiter");
		thread.start();
		thread.join();
	}
}
