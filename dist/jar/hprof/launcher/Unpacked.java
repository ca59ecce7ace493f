package hprof.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;

/**
 * A file of the jar in a directory that only this user can enter. What is there is taken if it is
 * the same, byte by byte; anything else is replaced in one step, so that several processes may do
 * it at once, and programs that run keep the old file.
 */
final class Unpacked {
	private final Path path;
	private final byte[] content;
	private final String permissions;

	Unpacked(Path path, byte[] content, String permissions) {
		this.path = path;
		this.content = content;
		this.permissions = permissions;
	}

	void ensure(int user) throws IOException {
		if (!isThere(user))
			replace();
	}

	private boolean isThere(int user) throws IOException {
		try {
			UnixFile found = UnixFile.of(path);
			return found.isRegular() && found.owner() == user && found.permissions() == mode() && hasContent();
		} catch (NoSuchFileException missing) {
			return false;
		}
	}

	private int mode() {
		return permissions.charAt(2) == 'x' ? 0500 : 0400;
	}

	private boolean hasContent() throws IOException {
		try (InputStream input = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
			return Arrays.equals(input.readNBytes(content.length + 1), content);
		}
	}

	private void replace() throws IOException {
		Path unfinished = path.resolveSibling(path.getFileName() + "." + ProcessHandle.current().pid() + "."
				+ Long.toHexString(System.nanoTime()));
		try {
			Files.write(unfinished, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
			Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString(permissions));
			Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
		} catch (IOException error) {
			Files.deleteIfExists(unfinished);
			throw error;
		}
	}
}
