package hprof.launcher;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A directory in which nobody else can exchange anything: of this user, and not writable by others.
 * Each directory above is of this user, or of who owns the root directory or is root, and not
 * writable by others, except sticky ones such as /tmp.
 */
final class Place {
	private final int user;

	Place() throws IOException {
		user = UnixFile.user();
	}

	int user() {
		return user;
	}

	/** The directory, without symbolic links in its path; it is created if it is missing. */
	Path prepare(Path directory) throws IOException {
		Path parent = directory.getParent();
		if (!directory.isAbsolute() || parent == null)
			throw new IOException("not an absolute path of a directory");
		createMissing(parent);
		Path real = parent.toRealPath();
		int root = UnixFile.of(real.getRoot()).owner();
		for (Path above = real; above != null; above = above.getParent())
			checkAbove(above, root);
		return own(real.resolve(directory.getFileName()));
	}

	private static void createMissing(Path directory) throws IOException {
		if (directory == null || Files.isDirectory(directory))
			return;
		createMissing(directory.getParent());
		create(directory);
	}

	private static void create(Path directory) throws IOException {
		try {
			Files.createDirectory(directory,
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		} catch (FileAlreadyExistsException exists) {
			/* It is checked, whoever has created it. */
		}
	}

	private void checkAbove(Path directory, int root) throws IOException {
		UnixFile found = UnixFile.of(directory);
		int owner = found.owner();
		if (owner != user && owner != root && owner != 0)
			throw new IOException(directory + " belongs to user " + Integer.toUnsignedString(owner));
		if (found.isWritableByOthers() && !found.isSticky())
			throw new IOException("others can write in " + directory);
	}

	private Path own(Path directory) throws IOException {
		create(directory);
		check(directory);
		if (UnixFile.of(directory).isWritableByOthers())
			throw new IOException("others can write in it");
		return directory;
	}

	private void check(Path directory) throws IOException {
		UnixFile found = UnixFile.of(directory);
		if (found.isLink())
			throw new IOException("it is a symbolic link");
		if (!found.isDirectory())
			throw new IOException("it is not a directory");
		if (found.owner() != user)
			throw new IOException("it belongs to user " + Integer.toUnsignedString(found.owner()));
	}

	/** In a directory that prepare() has returned: a directory that only this user can enter. */
	Path prepareInside(Path place, String name) throws IOException {
		Path directory = place.resolve(name);
		create(directory);
		check(directory);
		if (UnixFile.of(directory).permissions() != 0700)
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
		return directory;
	}
}
