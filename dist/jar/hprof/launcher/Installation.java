package hprof.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the command and the library are unpacked: for the same jar always the same directory, since
 * a JVM takes a library at another path for another agent.
 */
final class Installation {
	/** Of the environment: names the only directory that is tried. */
	static final String VARIABLE = "HPROF_CACHE";

	private final Bundle bundle;
	private final StringBuilder failures = new StringBuilder();

	private Installation(Bundle bundle) {
		this.bundle = bundle;
	}

	/** The first directory that can be used, with both files in it. */
	static Path find(Bundle bundle) throws IOException, Refusal {
		return new Installation(bundle).findFirst();
	}

	private Path findFirst() throws IOException, Refusal {
		Place place = new Place();
		for (String candidate : candidates(place.user())) {
			try {
				return unpack(place, Path.of(candidate));
			} catch (IOException error) {
				failed(candidate, Reason.of(error));
			} catch (InvalidPathException error) {
				failed(candidate, error.getReason());
			}
		}
		throw new Refusal("can't unpack hprof: " + failures + "; set " + VARIABLE
				+ " to a directory of your own where files can be written and run");
	}

	private void failed(String candidate, String reason) {
		failures.append(failures.length() == 0 ? "" : "; ").append(candidate).append(": ").append(reason);
	}

	private static List<String> candidates(int user) {
		String chosen = System.getenv(VARIABLE);
		if (chosen != null && !chosen.isEmpty())
			return List.of(chosen);
		List<String> found = new ArrayList<>();
		add(found, System.getenv("XDG_CACHE_HOME"), "/hprof");
		add(found, System.getenv("HOME"), "/.cache/hprof");
		add(found, System.getProperty("java.io.tmpdir"), "/hprof-" + Integer.toUnsignedString(user));
		return found;
	}

	/** The specification of XDG has relative paths ignored. */
	private static void add(List<String> candidates, String base, String rest) {
		if (base != null && base.startsWith("/"))
			candidates.add(base + rest);
	}

	private Path unpack(Place place, Path candidate) throws IOException {
		Path directory = place.prepareInside(place.prepare(candidate), bundle.name());
		Path command = directory.resolve(Bundle.COMMAND);
		new Unpacked(command, bundle.content(Bundle.COMMAND), "r-x------").ensure(place.user());
		new Unpacked(directory.resolve(Bundle.LIBRARY), bundle.content(Bundle.LIBRARY), "r--------")
				.ensure(place.user());
		if (!Files.isExecutable(command))
			throw new IOException("no program can be run there (noexec)");
		return directory;
	}
}
