import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Threads that reach the same new stacks at the same time and keep what they allocate there.
 * usage: Paths ROUNDS THREADS
 */
public class Paths {
    static final int DEPTH = 14;
    static final int KEPT = 1024;
    static Object[][] kept;

    /** The bits of path say which methods lead to the allocation. */
    static void go(int path, int depth, Object[] to, int slot) {
        if (depth == 0) {
            to[slot % KEPT] = new byte[16];
        } else if ((path & 1) == 0) {
            left(path >> 1, depth - 1, to, slot);
        } else {
            right(path >> 1, depth - 1, to, slot);
        }
    }

    static void left(int path, int depth, Object[] to, int slot) {
        go(path, depth, to, slot);
    }

    static void right(int path, int depth, Object[] to, int slot) {
        go(path, depth, to, slot);
    }

    static void walk(int rounds, CyclicBarrier together, Object[] to) {
        Random random = new Random(1); // the same paths in each thread
        try {
            for (int round = 0; round < rounds; round++) {
                together.await();
                for (int i = 0; i < 40; i++) {
                    go(random.nextInt(1 << DEPTH), DEPTH, to, round * 40 + i);
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
        CyclicBarrier together = new CyclicBarrier(threads.length);
        kept = new Object[threads.length][KEPT];
        System.out.println("ready=1");
        for (int t = 0; t < threads.length; t++) {
            Object[] to = kept[t];
            threads[t] = new Thread(() -> walk(rounds, together, to));
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
