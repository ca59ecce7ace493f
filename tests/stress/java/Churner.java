import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Threads that allocate graphs of objects and drop them, for so long or until standard
 * input ends. usage: Churner MS THREADS
 */
public class Churner {
    static class Node {
        Node left;
        Node right;
        final byte[] data;

        Node(int depth) {
            data = new byte[8 + ThreadLocalRandom.current().nextInt(64)];
            if (depth > 0) {
                left = new Node(depth - 1);
                right = new Node(depth - 1);
            }
        }
    }

    static void churn(long end) {
        List<Object> kept = new ArrayList<>();
        while (System.nanoTime() - end < 0) {
            kept.add(new Node(5));
            if (kept.size() > 40) {
                kept.subList(0, 20).clear();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
        Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
        System.out.println("ready=1");
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> churn(end));
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
