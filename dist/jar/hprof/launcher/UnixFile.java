package hprof.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/** The type, owner and mode of a file, not of what a symbolic link leads to. */
final class UnixFile {
	private static final int TYPE = 0170000;
	private static final int DIRECTORY = 0040000;
	private static final int REGULAR = 0100000;
	private static final int LINK = 0120000;
	private static final int STICKY = 01000;
	private static final int WRITABLE_BY_OTHERS = 0022;

	private final int mode;
	private final int owner;

	private UnixFile(int mode, int owner) {
		this.mode = mode;
		this.owner = owner;
	}

	static UnixFile of(Path path) throws IOException {
		Map<String, Object> found = Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
		return new UnixFile((Integer)found.get("mode"), (Integer)found.get("uid"));
	}

	/** The user that owns what this process creates. */
	static int user() throws IOException {
		for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
			/* Real, effective, saved, and for files. */
			if (line.startsWith("Uid:"))
				return Integer.parseUnsignedInt(line.split("\t")[4]);
		}
		throw new IOException("no Uid in /proc/self/status");
	}

	boolean isDirectory() {
		return (mode & TYPE) == DIRECTORY;
	}

	boolean isRegular() {
		return (mode & TYPE) == REGULAR;
	}

	boolean isLink() {
		return (mode & TYPE) == LINK;
	}

	boolean isSticky() {
		return (mode & STICKY) != 0;
	}

	boolean isWritableByOthers() {
		return (mode & WRITABLE_BY_OTHERS) != 0;
	}

	int permissions() {
		return mode & 07777;
	}

	int owner() {
		return owner;
	}
}
