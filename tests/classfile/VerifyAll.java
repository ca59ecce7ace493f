import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Makes the JVM link, and so verify, every class of its own image or of jars,
 * without running their initialisers, and counts what came of it.
 *
 * <pre>VerifyAll [--part K/N] jrt | JAR[:JAR...] ...</pre>
 *
 * With --part only every N-th class, from the K-th on (K from 1). Each argument
 * of jars is a class path whose first jar's classes are tried. Exits with 1 if a
 * class failed verification.
 */
public final class VerifyAll {
	private static int linked;
	private static int missing;
	private static int refused;
	private static int failed;
	private static int seen;
	private static int part = 1;
	private static int parts = 1;
	private static final TreeMap<String, Integer> reasons = new TreeMap<>();

	private VerifyAll() {
	}

	public static void main(String[] args) throws Exception {
		int first = 0;
		if (args.length > 1 && args[0].equals("--part")) {
			String[] pair = args[1].split("/");
			part = Integer.parseInt(pair[0]);
			parts = Integer.parseInt(pair[1]);
			first = 2;
		}
		for (int i = first; i < args.length; i++) {
			if (args[i].equals("jrt"))
				verifyImage();
			else
				verifyJar(args[i]);
		}
		System.out.println("verified: " + linked + " classes linked, " + failed
				+ " failed verification, " + missing + " need classes that are not there, "
				+ refused + " refused for another reason");
		reasons.forEach((reason, count) -> System.out.println("  " + count + " " + reason));
		if (failed > 0)
			System.exit(1);
	}

	private static void verifyImage() throws Exception {
		Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
		List<Path> files = new ArrayList<>();
		try (Stream<Path> walk = Files.walk(modules)) {
			walk.filter(path -> path.toString().endsWith(".class")).forEach(files::add);
		}
		Collections.sort(files);
		for (Path file : files) {
			Path inModule = modules.relativize(file);
			String module = inModule.getName(0).toString();
			String name = inModule.subpath(1, inModule.getNameCount()).toString();
			ClassLoader loader = ModuleLayer.boot().findModule(module)
					.map(Module::getClassLoader).orElse(null);
			verify(name, loader);
		}
	}

	private static void verifyJar(String path) throws Exception {
		String[] jars = path.split(File.pathSeparator);
		URL[] urls = new URL[jars.length];
		for (int i = 0; i < jars.length; i++)
			urls[i] = new File(jars[i]).toURI().toURL();
		List<String> names = new ArrayList<>();
		try (JarFile jar = new JarFile(jars[0])) {
			jar.stream().map(entry -> entry.getName()).filter(name -> name.endsWith(".class")
					&& !name.startsWith("META-INF/")).forEach(names::add);
		}
		Collections.sort(names);
		URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
		for (String name : names)
			verify(name, loader);
	}

	private static void verify(String file, ClassLoader loader) {
		String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
		if (name.endsWith("module-info") || name.endsWith("package-info"))
			return;
		if (seen++ % parts != part - 1)
			return;
		try {
			/* Listing members links the class first; initialisation does not happen. */
			Class.forName(name, false, loader).getDeclaredFields();
			linked++;
		} catch (VerifyError | ClassFormatError e) {
			failed++;
			System.out.println("FAILED " + name + ": " + e);
		} catch (NoClassDefFoundError | ClassNotFoundException | TypeNotPresentException e) {
			missing++;
		} catch (Throwable e) {
			refused++;
			reasons.merge(e.getClass().getName(), 1, Integer::sum);
			if (refused <= 20)
				System.out.println("refused " + name + ": " + e);
		}
	}
}
