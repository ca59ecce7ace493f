package hprof.launcher;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** What the jar has for a platform: the command and the agent's library. */
final class Bundle implements AutoCloseable {
	static final String COMMAND = "hprof";
	static final String LIBRARY = "libhprof.so";

	private final JarFile jar;
	private final String platform;

	private Bundle(JarFile jar, String platform) {
		this.jar = jar;
		this.platform = platform;
	}

	static Bundle open(String platform) throws IOException, Refusal {
		JarFile jar = new JarFile(file());
		if (jar.getEntry(platform + "/" + COMMAND) != null)
			return new Bundle(jar, platform);
		throw Refusal.wrongJar("this jar has hprof for " + platforms(jar) + ", not for " + platform
				+ "; build hprof from its source for this system");
	}

	private static File file() throws IOException {
		try {
			return new File(Bundle.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		} catch (URISyntaxException error) {
			throw new IOException(error.getMessage(), error);
		}
	}

	private static String platforms(JarFile jar) {
		TreeSet<String> names = new TreeSet<>();
		jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith("/" + COMMAND))
				.forEach(name -> names.add(name.substring(0, name.indexOf('/'))));
		return String.join(", ", names);
	}

	/** The same for the same content: the version, and a digest that the build has computed. */
	String name() throws IOException {
		Attributes attributes = jar.getManifest().getMainAttributes();
		return "hprof-" + attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION) + "-"
				+ attributes.getValue("Hprof-Digest");
	}

	byte[] content(String name) throws IOException {
		try (InputStream input = jar.getInputStream(jar.getEntry(platform + "/" + name))) {
			return input.readAllBytes();
		}
	}

	@Override
	public void close() throws IOException {
		jar.close();
	}
}
