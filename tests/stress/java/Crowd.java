import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many threads that are alive at the same time, each of which calls, allocates and takes a
 * monitor. usage: Crowd THREADS
 */
public class Crowd {
    static final AtomicLong sum = new AtomicLong();
    static final Object lock = new Object();
    static int entered;

    static int work(int n) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            text.append(n + i).append(' ');
        }
        return text.length() > 0 ? 1 : 0;
    }

    static void live(CountDownLatch all, int n) {
        int done = 0;
        for (int i = 0; i < 20; i++) {
            done += work(n + i);
        }
        synchronized (lock) {
            entered++;
        }
        all.countDown();
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        sum.addAndGet(done + work(n) - 21);
    }

    public static void main(String[] arguments) throws InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        CountDownLatch all = new CountDownLatch(count);
        Thread[] threads = new Thread[count];
        for (int t = 0; t < count; t++) {
            int n = t;
            threads[t] = new Thread(null, () -> live(all, n), "member " + t, 256 * 1024);
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(sum.get() == 0 && entered == count ? "done" : "lost " + entered);
    }
}
