import java.util.concurrent.ThreadLocalRandom;

/**
 * Threads that wait for monitors of each other's and for notifications; each is replaced by a new
 * one after some rounds. For so long or until standard input ends. usage: Contenders MS THREADS
 */
public class Contenders {
    static final Object[] monitors = {new Object(), new int[1], "text", Contenders.class};
    static long end;
    static int sum;

    /** Nested, in one order, so that nobody waits for ever. */
    static void hold(int first, int depth) {
        synchronized (monitors[first]) {
            if (depth > 0 && first + 1 < monitors.length) {
                hold(first + 1, depth - 1);
            } else {
                for (int i = 0; i < 20_000; i++) {
                    sum += i;
                }
            }
        }
    }

    static void exchange() throws InterruptedException {
        synchronized (monitors[0]) {
            monitors[0].notifyAll();
            monitors[0].wait(2);
        }
    }

    static void contend() {
        try {
            for (int round = 0; round < 200 && System.nanoTime() - end < 0; round++) {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                hold(random.nextInt(monitors.length), random.nextInt(3));
                if (round % 10 == 0) {
                    exchange();
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void replace() {
        while (System.nanoTime() - end < 0) {
            Thread thread = new Thread(Contenders::contend);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
        Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
        System.out.println("ready=1");
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(Contenders::replace);
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
