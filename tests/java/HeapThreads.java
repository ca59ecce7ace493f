/** Threads of all kinds whose objects live to the end: ended, never started, of a class below. */
public class HeapThreads {
    /** Has a field of the name that the number of a thread has in java.lang.Thread. */
    static class Own extends Thread {
        final long tid = 77;
        Own(Runnable run) { super(run, "own"); }
    }

    static Thread ended;
    static Thread own;
    static Thread unstarted;
    static Thread waiting;

    public static void main(String[] args) throws InterruptedException {
        ended = new Thread(() -> { }, "ended");
        own = new Own(() -> { });
        unstarted = new Thread(() -> { }, "unstarted");
        waiting = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException end) {
                return;
            }
        }, "waiting");
        waiting.setDaemon(true);
        for (Thread thread : new Thread[] {ended, own, waiting})
            thread.start();
        ended.join();
        own.join();
        System.out.println("ready=1");
        if (args.length > 0)
            Thread.sleep(1_000_000);
    }
}
