import java.util.ArrayList;
import java.util.List;

/** A heap with known objects: arguments are the number of nodes and, optionally, "wait". */
public class HeapGraph {
    static class Base {
        int id;
        long tag = 0x0123456789abcdefL;
        Base(int id) { this.id = id; }
    }

    /** Shadows a field of its super class, and has one of each type. */
    static class Node extends Base {
        Node next;
        Object payload;
        boolean flag = true;
        byte small = -2;
        char letter = '\u20ac';
        short number = -300;
        float ratio = 1.5f;
        double fraction = -0.25;
        String tag = "node";
        Node(int id) { super(id); }
    }

    static class Empty { }

    interface Constants { Object MARK = new Object(); int FOUR = 4; }

    static class Implements implements Constants {
        int own = 7;
        Object mark = MARK;
    }

    static class Dropped { Object held = new byte[64]; }

    static Node first;
    static int primitive = -42;
    static double wide = Math.E;
    static final Object[][] table = {{new Empty(), null, new Empty()}, null, {}};
    static final int[] ints = {1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
    static final long[] longs = {Long.MIN_VALUE, 0x0102030405060708L};
    static final boolean[] flags = {true, false, true};
    static final char[] chars = {'a', '\u00e4', '\uffff'};
    static final short[] shorts = {-1, 256};
    static final float[] floats = {Float.NaN, 2.5f};
    static final double[] doubles = {Double.NEGATIVE_INFINITY, 1e300};
    static final byte[] large = new byte[3 * 1024 * 1024];
    static final Object[] sparse = new Object[300_000];
    static final Implements implementing = new Implements();
    static volatile boolean holding;

    static void hold(Object held) throws InterruptedException {
        synchronized (held) {
            holding = true;
            while (true) {
                Thread.sleep(1_000_000);
                if (held.hashCode() == 1)
                    return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        for (int i = 0; i < count; i++) {
            Node node = new Node(i);
            node.next = first;
            node.payload = i % 3 == 0 ? new int[i % 10] : i % 3 == 1 ? Integer.valueOf(i) : null;
            first = node;
        }
        for (int i = 0; i < large.length; i++)
            large[i] = (byte) i;
        sparse[299_999] = first;
        sparse[5] = sparse;
        List<Object> dropped = new ArrayList<>();
        for (int i = 0; i < 1000; i++)
            dropped.add(new Dropped());
        dropped = null;
        Thread holder = new Thread(() -> {
            try {
                hold(new Empty());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "holder");
        holder.setDaemon(true);
        holder.start();
        while (!holding)
            Thread.sleep(1);
        System.out.println("nodes=" + count);
        System.out.println("ready=1");
        if (args.length > 1)
            Thread.sleep(1_000_000);
    }
}
