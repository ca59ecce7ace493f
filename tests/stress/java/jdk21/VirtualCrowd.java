import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Many virtual threads, which sleep, call and allocate. usage: VirtualCrowd THREADS */
public class VirtualCrowd {
    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[0]);
        AtomicLong done = new AtomicLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int t = 0; t < count; t++) {
                int n = t;
                threads.submit(() -> {
                    int worked = Crowd.work(n);
                    try {
                        Thread.sleep(n % 20);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    done.addAndGet(worked + Crowd.work(n) - 1);
                });
            }
        }
        System.out.println(done.get() == count ? "done" : "lost " + done.get());
    }
}
