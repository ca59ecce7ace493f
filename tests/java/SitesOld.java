import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Has two loaders define classes of the same names, from class files of the version of JDK 1.4, and
 * has each make objects.
 *
 * <p>Arguments: objects of each kind and loader.
 */
public class SitesOld {
	static final int JDK_1_4 = 48;

	static class OldLoader extends ClassLoader {
		OldLoader() {
			super(SitesOld.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("Old")) {
				return super.loadClass(name, resolve);
			}
			Class<?> known = findLoadedClass(name);
			if (known != null) {
				return known;
			}
			try (InputStream in = SitesOld.class.getResourceAsStream(name + ".class")) {
				byte[] bytes = in.readAllBytes();
				bytes[7] = JDK_1_4;
				return defineClass(name, bytes, 0, bytes.length);
			} catch (java.io.IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	static final List<Object> kept = new ArrayList<>();

	@SuppressWarnings("unchecked")
	public static void main(String[] arguments) throws Exception {
		int count = Integer.parseInt(arguments[0]);
		for (int i = 0; i < 2; i++) {
			Class<?> type = new OldLoader().loadClass("OldMaker");
			IntFunction<Object> maker =
					(IntFunction<Object>) type.getDeclaredConstructor().newInstance();
			kept.add(maker.apply(count));
		}
		System.out.println(kept.size());
	}
}
