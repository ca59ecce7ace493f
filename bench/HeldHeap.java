/**
 * Holds many small objects until its standard input ends: a list of nodes, each with a
 * boxed value of its own. Argument: how many objects.
 */
public final class HeldHeap {
	private static final class Node {
		final Node next;
		final Object value;
		int number;

		Node(Node next, Object value, int number) {
			this.next = next;
			this.value = value;
			this.number = number;
		}
	}

	private HeldHeap() {
	}

	public static void main(String[] arguments) throws Exception {
		int objects = Integer.parseInt(arguments[0]);
		Node first = null;
		for (int i = 0; i < objects / 2; i++)
			first = new Node(first, Long.valueOf(1_000_000L + i), i);
		System.out.println("held=" + objects);
		while (System.in.read() >= 0) {
			// Until the end.
		}
		System.out.println("last=" + first.number);
	}
}
