import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Classes that come and go: proxies, lambdas, and one class defined again and again by
 * loaders that are dropped. usage: Storm ROUNDS THREADS
 */
public class Storm {
    public static class Victim implements Supplier<Integer> {
        @Override
        public Integer get() {
            int sum = 0;
            for (int i = 0; i < 2000; i++) {
                sum += helper(i);
            }
            return sum;
        }

        static int helper(int i) {
            return i * 31 ^ i >>> 3;
        }
    }

    static class Loader extends ClassLoader {
        private final byte[] victim;

        Loader(byte[] victim) {
            super(Storm.class.getClassLoader());
            this.victim = victim;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Storm$Victim")) {
                return super.loadClass(name, resolve);
            }
            Class<?> found = findLoadedClass(name);
            return found != null ? found : defineClass(name, victim, 0, victim.length);
        }
    }

    static long round(byte[] victim, int round) throws ReflectiveOperationException {
        long[] sum = new long[1];
        Supplier<?> supplier = (Supplier<?>) Class.forName("Storm$Victim", true, new Loader(victim))
            .getDeclaredConstructor().newInstance();
        sum[0] += (Integer) supplier.get();
        ClassLoader parent = new ClassLoader(Storm.class.getClassLoader()) { };
        Runnable proxy = (Runnable) Proxy.newProxyInstance(parent, new Class<?>[] {Runnable.class},
            (self, method, arguments) -> {
                sum[0]++;
                return null;
            });
        proxy.run();
        IntSupplier lambda = () -> round;
        return sum[0] + lambda.getAsInt();
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        Thread[] threads = new Thread[Integer.parseInt(arguments[1])];
        long[] sums = new long[threads.length];
        byte[] victim;
        try (InputStream in = Storm.class.getResourceAsStream("Storm$Victim.class")) {
            victim = in.readAllBytes();
        }
        System.out.println("ready=1");
        for (int t = 0; t < threads.length; t++) {
            int at = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < rounds; i++) {
                        sums[at] += round(victim, i);
                        if (at == 0 && i % 200 == 0) {
                            System.gc();
                        }
                    }
                } catch (ReflectiveOperationException | RuntimeException | Error e) {
                    e.printStackTrace();
                    System.exit(9);
                }
            });
            threads[t].start();
        }
        long one = new Victim().get() + 1L;
        long right = rounds * one + (long) rounds * (rounds - 1) / 2;
        for (int t = 0; t < threads.length; t++) {
            threads[t].join();
            if (sums[t] != right) {
                System.out.println("thread " + t + ": " + sums[t] + ", should be " + right);
                System.exit(8);
            }
        }
        System.out.println("done");
    }
}
