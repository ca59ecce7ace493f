import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.concurrent.ThreadLocalRandom;

/** Allocates on several threads, and loads and drops classes, for so many ms. */
public class HeapChurn {
    static final int KEPT = 5000;
    static class Kept { final long[] words = new long[4]; Kept other; }
    static final Kept[] kept = new Kept[KEPT];

    static class Loader extends ClassLoader {
        final byte[] bytes;
        Loader(byte[] bytes) { this.bytes = bytes; }
        Class<?> define() { return defineClass("Hello", bytes, 0, bytes.length); }
    }

    static void churn(long end) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (System.nanoTime() < end) {
            Kept one = new Kept();
            one.other = kept[random.nextInt(KEPT)];
            if (one.other != null)
                one.other.other = null;
            kept[random.nextInt(KEPT)] = one;
        }
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
        for (int i = 0; i < KEPT; i++)
            kept[i] = new Kept();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = HeapChurn.class.getResourceAsStream("Hello.class")) {
            in.transferTo(bytes);
        }
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> churn(end), "churn" + i);
            threads[i].start();
        }
        System.out.println("ready=1");
        int loaded = 0;
        while (System.nanoTime() < end) {
            new Loader(bytes.toByteArray()).define().getDeclaredConstructor();
            loaded++;
            Thread.sleep(2);
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("loaded=" + loaded);
    }
}
