package hprof.launcher;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What an exception of the file system means, in words: many have the path alone as their message. */
final class Reason {
	private Reason() {
	}

	static String of(IOException error) {
		if (error instanceof AccessDeniedException)
			return "Permission denied";
		if (error instanceof NoSuchFileException)
			return "No such file or directory";
		if (error instanceof FileAlreadyExistsException)
			return "File exists";
		if (error instanceof FileSystemException && ((FileSystemException)error).getReason() != null)
			return ((FileSystemException)error).getReason();
		return String.valueOf(error.getMessage());
	}
}
