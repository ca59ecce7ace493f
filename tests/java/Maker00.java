import java.util.function.IntFunction;

/* Makes objects of its own class; SitesUnloading renames it. */
public final class Maker00 implements IntFunction<Object> {
	public Maker00() {}

	@Override
	public Object apply(int count) {
		Object last = null;
		for (int i = 0; i < count; i++) {
			last = new Maker00();
		}
		return last;
	}
}
