import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * Ways for a program to end while its threads are at work, and children that it starts.
 * usage: Endings exit|halt|children
 */
public class Endings {
    static volatile long sink;

    static void burn() {
        while (true) {
            sink += new int[10].length;
        }
    }

    /** Several at once: the first one counts. */
    static void exit() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        for (int t = 0; t < 8; t++) {
            new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                System.exit(5);
            }).start();
        }
        go.countDown();
        Thread.sleep(600_000);
    }

    static void children() throws Exception {
        for (int i = 0; i < 20; i++) {
            Process child = new ProcessBuilder("sh", "-c", "echo $(( 1 + " + i + " ))").start();
            try (InputStream in = child.getInputStream()) {
                String text = new String(in.readAllBytes()).trim();
                if (child.waitFor() != 0 || Integer.parseInt(text) != i + 1) {
                    System.out.println("child " + i + ": " + text);
                    System.exit(8);
                }
            }
        }
        System.exit(5);
    }

    public static void main(String[] arguments) throws Exception {
        for (int t = 0; t < 3; t++) {
            Thread busy = new Thread(Endings::burn);
            busy.setDaemon(true);
            busy.start();
        }
        Thread.sleep(100);
        System.out.println("done");
        if (arguments[0].equals("halt")) {
            Runtime.getRuntime().halt(5);
        } else if (arguments[0].equals("exit")) {
            exit();
        } else {
            children();
        }
    }
}
