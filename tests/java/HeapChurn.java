import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ThreadLocalRandom;

/** Allocates on several threads, and loads and drops classes, until a line comes. */
public class HeapChurn {
    static final int KEPT = 5000;
    static class Kept { final long[] words = new long[4]; Kept other; }
    static final Kept[] kept = new Kept[KEPT];

    static class Loader extends ClassLoader {
        final byte[] bytes;
        Loader(byte[] bytes) { this.bytes = bytes; }
        Class<?> define() { return defineClass("Hello", bytes, 0, bytes.length); }
    }

    static volatile boolean over;

    static void churn() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!over) {
            Kept one = new Kept();
            one.other = kept[random.nextInt(KEPT)];
            if (one.other != null)
                one.other.other = null;
            kept[random.nextInt(KEPT)] = one;
        }
    }

    static void awaitLine() {
        try {
            System.in.read();
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        } finally {
            over = true;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < KEPT; i++)
            kept[i] = new Kept();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = HeapChurn.class.getResourceAsStream("Hello.class")) {
            in.transferTo(bytes);
        }
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> churn(), "churn" + i);
            threads[i].start();
        }
        System.out.println("ready=1");
        new Thread(HeapChurn::awaitLine, "end").start();
        int loaded = 0;
        while (!over) {
            new Loader(bytes.toByteArray()).define().getDeclaredConstructor();
            loaded++;
            Thread.sleep(2);
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("loaded=" + loaded);
    }
}
