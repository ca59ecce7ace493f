import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that wait, each with an object on its stack, while the heap is dumped. */
public class HeapVirtual {
    static class Held { int value; }

    static final CountDownLatch started = new CountDownLatch(20);
    static final Thread[] threads = new Thread[20];

    static void hold(Held held) {
        started.countDown();
        while (held.value == 0)
            LockSupport.park();
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < threads.length; i++)
            threads[i] = Thread.ofVirtual().start(() -> hold(new Held()));
        started.await();
        System.out.println("ready=1");
    }
}
