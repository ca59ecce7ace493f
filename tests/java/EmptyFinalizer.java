/*
 * Objects of a class whose finalize() is empty, which the JVM takes for a class without one, and of
 * one whose finalize() does something. Prints how many of each are collected by the first
 * collection, and how many were finalized in the end.
 * usage: EmptyFinalizer OBJECTS
 */
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

@SuppressWarnings({"deprecation", "removal"})
public final class EmptyFinalizer {
	static final int WAIT_MS = 5_000;
	static final AtomicInteger FINALIZED = new AtomicInteger();
	static final List<Reference<?>> REFERENCES = new ArrayList<>();

	static class Disabled {
		@Override
		protected void finalize() {
		}
	}

	static final class Unfinalized extends Disabled {
	}

	static final class Finalized {
		@Override
		protected void finalize() {
			FINALIZED.incrementAndGet();
		}
	}

	static ReferenceQueue<Object> drop(int objects, boolean finalized) {
		ReferenceQueue<Object> queue = new ReferenceQueue<>();
		for (int i = 0; i < objects; i++) {
			Object object = finalized ? new Finalized() : new Unfinalized();
			REFERENCES.add(new PhantomReference<>(object, queue));
		}
		return queue;
	}

	static int collected(ReferenceQueue<Object> queue, int objects, int waitMs) throws InterruptedException {
		int found = 0;
		while (found < objects && queue.remove(waitMs) != null) {
			found++;
		}
		return found;
	}

	public static void main(String[] args) throws InterruptedException {
		int objects = Integer.parseInt(args[0]);
		ReferenceQueue<Object> unfinalized = drop(objects, false);
		ReferenceQueue<Object> finalized = drop(objects, true);

		System.gc();
		Truth.say("unfinalized.collected", collected(unfinalized, objects, WAIT_MS));
		Truth.say("finalized.collected", collected(finalized, objects, 1));
		for (int waited = 0; FINALIZED.get() < objects && waited < WAIT_MS; waited++) {
			Thread.sleep(1);
		}
		Truth.say("finalized", FINALIZED.get());
	}
}
