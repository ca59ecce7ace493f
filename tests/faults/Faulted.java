import java.util.ArrayList;
import java.util.List;

/**
 * What a profile under injected faults is judged by: fixed numbers of calls, objects, waits
 * and an amount of CPU time, and an output that is the same each time.
 */
public class Faulted {
    static final int CALLS = 5000;
    static final int ITEMS = 2000;
    static final int KEPT = 500;

    static class Item {
        final int number;
        Item next;

        Item(int number) {
            this.number = number;
        }
    }

    static final List<Item> kept = new ArrayList<>();
    static long sum;

    /** Long enough not to be a leaf, whatever that means to the agent. */
    static int called(int n) {
        int digits = 0;
        for (int rest = n; rest > 0; rest /= 10) {
            digits += rest % 10;
        }
        return digits;
    }

    static void call() {
        for (int i = 0; i < CALLS; i++) {
            sum += called(i);
        }
    }

    static void allocate() {
        for (int i = 0; i < ITEMS; i++) {
            Item item = new Item(i);
            if (i % (ITEMS / KEPT) == 0) {
                item.next = kept.isEmpty() ? null : kept.get(kept.size() - 1);
                kept.add(item);
            }
        }
    }

    static void burn(long steps) {
        long value = 1;
        for (long i = 0; i < steps; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        sum += value & 1;
    }

    static void contend() throws InterruptedException {
        final Object lock = new Object();
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                sum++;
            }
        }, "waiter");
        synchronized (lock) {
            waiter.start();
            while (waiter.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
            Thread.sleep(20);
        }
        waiter.join();
    }

    public static void main(String[] arguments) throws Exception {
        call();
        allocate();
        contend();
        burn(Long.parseLong(arguments[0]));
        System.out.println("calls=" + CALLS + " items=" + ITEMS + " kept=" + kept.size());
        System.exit(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0);
    }
}
