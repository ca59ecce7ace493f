/*
 * Makes objects in unusual ways, a method for each way, keeps every third, drops the rest, has the
 * garbage collected, and says how many it made and keeps of each. One of each is made before, by
 * warmUp(), so that classes are loaded and call sites linked when counted() makes the others.
 * usage: LiveSpecials COUNT, a multiple of 600
 */
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.function.IntFunction;
import java.util.function.Supplier;

public final class LiveSpecials {
	interface Kind {
		Object make(int i) throws Throwable;
	}

	static final Map<String, Kind> KINDS = new LinkedHashMap<>();
	static final Map<String, Object[]> kept = new LinkedHashMap<>();

	// ---- constructors that do something with this ----

	static class Hashed {
		final int hash;

		Hashed() {
			hash = System.identityHashCode(this);
		}
	}

	static Object hashed(int i) {
		return new Hashed();
	}

	static class Mapped {
		static final Map<Object, Object> ALL = new IdentityHashMap<>();

		Mapped() {
			ALL.put(this, "");
		}
	}

	static Object mapped(int i) {
		return new Mapped();
	}

	static class InSet {
		static final Set<Object> ALL = new HashSet<>();

		InSet() {
			ALL.add(this);
		}
	}

	static Object inSet(int i) {
		return new InSet();
	}

	static class Synchronized {
		int uses;

		Synchronized() {
			synchronized (this) {
				uses++;
			}
		}
	}

	static Object synchronizing(int i) {
		return new Synchronized();
	}

	static class HashedLocked {
		final int hash;

		HashedLocked() {
			synchronized (this) {
				hash = System.identityHashCode(this);
			}
		}
	}

	static Object hashedLocked(int i) {
		return new HashedLocked();
	}

	/** Holds the lock of each object that it is given, from then on until it is told to release it. */
	static final class Holder extends Thread {
		final SynchronousQueue<Object> given = new SynchronousQueue<>();
		final Semaphore holds = new Semaphore(0);
		final Semaphore released = new Semaphore(0);

		void hold(Object object) throws InterruptedException {
			synchronized (object) {
				holds.release();
				released.acquire();
			}
		}

		@Override
		public void run() {
			try {
				while (true) {
					hold(given.take());
				}
			} catch (InterruptedException e) {
				return;
			}
		}
	}

	static final Holder HOLDER = new Holder();

	static class Held {
		Held() throws InterruptedException {
			HOLDER.given.put(this);
			HOLDER.holds.acquire();
		}
	}

	/** Another thread holds its lock when its constructor returns. */
	static Object held(int i) throws InterruptedException {
		Held held = new Held();
		HOLDER.released.release();
		return held;
	}

	static class Refused extends RuntimeException {
		private static final long serialVersionUID = 1;
		static final Refused ONE = new Refused();
	}

	static class Leaked {
		Leaked(Object[] into) {
			into[0] = this;
			throw Refused.ONE;
		}
	}

	static Object leaked(int i) {
		Object[] into = new Object[1];
		try {
			new Leaked(into);
		} catch (Refused expected) {
			return into[0];
		}
		throw new AssertionError();
	}

	// ---- ways without a constructor's call in the program's own code ----

	static class Cloned implements Cloneable {
		static final Cloned ORIGINAL = new Cloned();
		long value;

		@Override
		public Cloned clone() throws CloneNotSupportedException {
			return (Cloned) super.clone();
		}
	}

	static Object cloned(int i) throws CloneNotSupportedException {
		return Cloned.ORIGINAL.clone();
	}

	static class ClonedElement {
		static final ClonedElement[] ORIGINAL = new ClonedElement[3];
	}

	static Object clonedArray(int i) {
		return ClonedElement.ORIGINAL.clone();
	}

	static class CopiedElement {
		static final CopiedElement[] ORIGINAL = new CopiedElement[3];
	}

	static Object copiedArray(int i) {
		return Arrays.copyOf(CopiedElement.ORIGINAL, 1 + i % 5);
	}

	static class NotWritten {
		int value = 3;
	}

	static class Read extends NotWritten implements Serializable {
		private static final long serialVersionUID = 1;
		static final byte[] WRITTEN = written();
		int own = 7;

		static byte[] written() {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
				out.writeObject(new Read());
			} catch (IOException impossible) {
				throw new AssertionError(impossible);
			}
			return bytes.toByteArray();
		}
	}

	static Object deserialized(int i) throws Exception {
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(Read.WRITTEN))) {
			return in.readObject();
		}
	}

	static class Reflected {
		static final Constructor<?> CONSTRUCTOR = Reflected.class.getDeclaredConstructors()[0];
		final int value;

		Reflected(int value) {
			this.value = value;
		}
	}

	static Object reflected(int i) throws Exception {
		return Reflected.CONSTRUCTOR.newInstance(i);
	}

	static class ReflectedElement {
	}

	static Object reflectedArray(int i) {
		return Array.newInstance(ReflectedElement.class, i % 5);
	}

	static class Handled {
		static final MethodHandle CONSTRUCTOR = constructor();
		final int value;

		Handled(int value) {
			this.value = value;
		}

		static MethodHandle constructor() {
			try {
				return MethodHandles.lookup().findConstructor(Handled.class,
						MethodType.methodType(void.class, int.class));
			} catch (ReflectiveOperationException impossible) {
				throw new AssertionError(impossible);
			}
		}
	}

	static Object handled(int i) throws Throwable {
		return (Handled) Handled.CONSTRUCTOR.invokeExact(i);
	}

	static class Referenced {
		static final Supplier<Referenced> MAKER = Referenced::new;
		static final IntFunction<Referenced[]> ARRAY_MAKER = Referenced[]::new;
	}

	static Object referenced(int i) {
		return Referenced.MAKER.get();
	}

	static Object referencedArray(int i) {
		return Referenced.ARRAY_MAKER.apply(i % 5);
	}

	static Object lambda(int i) {
		Supplier<Object> lambda = () -> i;
		return lambda;
	}

	// ---- new among other things on the stack ----

	static class Chosen {
		final Object first;
		final Object second;

		Chosen(Object first, Object second) {
			this.first = first;
			this.second = second;
		}
	}

	static class Even {
	}

	static class Odd {
		final int value;

		Odd(int value) {
			this.value = value;
		}
	}

	static Object ternary(int i) {
		return new Chosen(i % 2 == 0 ? new Even() : new Odd(i), i % 2 != 0 ? new Even() : new Odd(i));
	}

	static class Nested {
		final Nested inner;

		Nested(Nested inner) {
			this.inner = inner;
		}
	}

	static Object nested4(int i) {
		return new Nested(new Nested(new Nested(new Nested(null))));
	}

	static Object nested10(int i) {
		return new Nested(new Nested(new Nested(new Nested(new Nested(
				new Nested(new Nested(new Nested(new Nested(new Nested(null))))))))));
	}

	static class Gift {
		final int value;

		Gift(int value) {
			this.value = value;
		}
	}

	static class Parent {
		final Gift gift;

		Parent(Gift gift) {
			this.gift = gift;
		}
	}

	static class Child extends Parent {
		Child(int i) {
			super(new Gift(i));
		}
	}

	static Object superArgument(int i) {
		return new Child(i);
	}

	static class Twice {
		final Gift gift;

		Twice(int i) {
			this(i > 0 ? new Gift(i) : new Gift(0));
		}

		Twice(Gift gift) {
			this.gift = gift;
		}
	}

	static Object thisArgument(int i) {
		return new Twice(i);
	}

	abstract static class Nameless {
		abstract int value();
	}

	static Object anonymous(int i) {
		return new Nameless() {
			@Override
			int value() {
				return i;
			}
		};
	}

	// ---- what the compiler of the language makes ----

	static Object boxed(int i) {
		return Integer.valueOf(100_000 + i);
	}

	static Object concatenated(int i) {
		return "number " + i;
	}

	static Object valueOf(int i) {
		return String.valueOf(100_000 + i);
	}

	static Object built(int i) {
		return new StringBuilder().append("number ").append(i).toString();
	}

	enum Suit {
		CLUBS, DIAMONDS, HEARTS, SPADES
	}

	static Object enumValues(int i) {
		return Suit.values();
	}

	static class Argument {
		static final Argument ONE = new Argument();
	}

	static Object gather(Argument... arguments) {
		return arguments;
	}

	static Object varargs(int i) {
		return gather(Argument.ONE, Argument.ONE);
	}

	static Object huge(int i) {
		return new short[1_000_000];
	}

	// ----

	static void warmUp() throws Throwable {
		for (Kind kind : KINDS.values()) {
			forget(kind.make(0));
		}
	}

	static void counted(Kind kind, Object[] into) throws Throwable {
		for (int i = 0; i < into.length; i++) {
			into[i] = kind.make(i);
		}
	}

	static void forget(Object object) {
		Mapped.ALL.remove(object);
		InSet.ALL.remove(object);
	}

	static int drop(Object[] objects) {
		int left = 0;
		for (int i = 0; i < objects.length; i++) {
			if (i % 3 != 0) {
				forget(objects[i]);
				objects[i] = null;
			} else {
				left++;
			}
		}
		return left;
	}

	static int changedHashes() {
		int changed = 0;
		for (Object object : kept.get("hashed")) {
			changed += object != null && System.identityHashCode(object) != ((Hashed) object).hash ? 1 : 0;
		}
		for (Object object : kept.get("hashedLocked")) {
			changed += object != null && System.identityHashCode(object) != ((HashedLocked) object).hash ? 1 : 0;
		}
		return changed;
	}

	static void fillKinds() {
		KINDS.put("hashed", LiveSpecials::hashed);
		KINDS.put("mapped", LiveSpecials::mapped);
		KINDS.put("inSet", LiveSpecials::inSet);
		KINDS.put("synchronizing", LiveSpecials::synchronizing);
		KINDS.put("hashedLocked", LiveSpecials::hashedLocked);
		KINDS.put("held", LiveSpecials::held);
		KINDS.put("leaked", LiveSpecials::leaked);
		KINDS.put("cloned", LiveSpecials::cloned);
		KINDS.put("clonedArray", LiveSpecials::clonedArray);
		KINDS.put("copiedArray", LiveSpecials::copiedArray);
		KINDS.put("deserialized", LiveSpecials::deserialized);
		KINDS.put("reflected", LiveSpecials::reflected);
		KINDS.put("reflectedArray", LiveSpecials::reflectedArray);
		KINDS.put("handled", LiveSpecials::handled);
		KINDS.put("referenced", LiveSpecials::referenced);
		KINDS.put("referencedArray", LiveSpecials::referencedArray);
		KINDS.put("lambda", LiveSpecials::lambda);
		KINDS.put("ternary", LiveSpecials::ternary);
		KINDS.put("nested4", LiveSpecials::nested4);
		KINDS.put("nested10", LiveSpecials::nested10);
		KINDS.put("superArgument", LiveSpecials::superArgument);
		KINDS.put("thisArgument", LiveSpecials::thisArgument);
		KINDS.put("anonymous", LiveSpecials::anonymous);
		KINDS.put("boxed", LiveSpecials::boxed);
		KINDS.put("concatenated", LiveSpecials::concatenated);
		KINDS.put("valueOf", LiveSpecials::valueOf);
		KINDS.put("built", LiveSpecials::built);
		KINDS.put("enumValues", LiveSpecials::enumValues);
		KINDS.put("varargs", LiveSpecials::varargs);
		KINDS.put("huge", LiveSpecials::huge);
	}

	/** Some kinds are slow or large. */
	static int countOf(String name, int count) {
		return name.equals("huge") ? count / 200 : name.equals("held") ? count / 4 : count;
	}

	public static void main(String[] args) throws Throwable {
		int count = Integer.parseInt(args[0]);
		HOLDER.setDaemon(true);
		HOLDER.start();
		fillKinds();
		warmUp();
		for (Map.Entry<String, Kind> kind : KINDS.entrySet()) {
			Object[] objects = new Object[countOf(kind.getKey(), count)];
			kept.put(kind.getKey(), objects);
			counted(kind.getValue(), objects);
		}
		for (Map.Entry<String, Object[]> objects : kept.entrySet()) {
			Truth.say("made." + objects.getKey(), objects.getValue().length);
			Truth.say("kept." + objects.getKey(), drop(objects.getValue()));
		}
		System.gc();
		Truth.say("changed", changedHashes());
		Truth.say("mapped", Mapped.ALL.size());
		Truth.say("inSet", InSet.ALL.size());
	}
}
