package hprof.launcher;

import java.io.File;
import java.util.Map;

/** The java that `hprof run -- java` finds: that of PATH, or else the one that runs this jar. */
final class JavaOnPath {
	private static final String VARIABLE = "PATH";

	private JavaOnPath() {
	}

	static void ensure(Map<String, String> environment) {
		String path = environment.getOrDefault(VARIABLE, "");
		for (String directory : path.split(":")) {
			File java = new File(directory, "java");
			if (java.isFile() && java.canExecute())
				return;
		}
		String own = System.getProperty("java.home") + "/bin";
		environment.put(VARIABLE, path.isEmpty() ? own : path + ":" + own);
	}
}
