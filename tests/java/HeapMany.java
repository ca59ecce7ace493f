import java.util.concurrent.CountDownLatch;

/** Keeps so many objects until it is told to end. */
public class HeapMany {
    static class Link {
        final Link next;
        Link(Link next) { this.next = next; }
    }

    static Link last;

    public static void main(String[] args) throws InterruptedException {
        for (int i = Integer.parseInt(args[0]); i > 0; i--)
            last = new Link(last);
        System.out.println("ready=1");
        System.out.flush();
        new CountDownLatch(1).await();
    }
}
