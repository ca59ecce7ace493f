import java.util.function.IntFunction;

/** Makes things; written so that its class file may be said to be of an old version. */
public class OldMaker implements IntFunction<Object> {
	static Object thing() {
		return new OldThing();
	}

	static Object things(int length) {
		return new OldThing[length];
	}

	static Object numbers(int length) {
		return new int[length];
	}

	@Override
	public Object apply(int count) {
		Object[] kept = new Object[3 * count];
		for (int i = 0; i < count; i++) {
			kept[3 * i] = thing();
			kept[3 * i + 1] = things(3);
			kept[3 * i + 2] = numbers(5);
		}
		return kept;
	}
}

class OldThing {
	long value;
}
