/*
 * How often which stack of methods was called, printed for a test to hold against
 * the counts of cpu=times: one line "calls COUNT METHOD|CALLER|CALLER..." each.
 */
public final class TimesTruth {
	private TimesTruth() {
	}

	/**
	 * path: names, the innermost first, with blanks between. One without a dot is a
	 * method of the class; NAME*N stands for N frames of it; ~ for any frames.
	 */
	static synchronized void calls(Class<?> in, long count, String path) {
		StringBuilder line = new StringBuilder("calls " + count + " ");
		String separator = "";
		for (String name : path.split(" ")) {
			int star = name.indexOf('*');
			int times = star < 0 ? 1 : Integer.parseInt(name.substring(star + 1));
			String method = star < 0 ? name : name.substring(0, star);
			for (int i = 0; i < times; i++) {
				line.append(separator);
				if (method.indexOf('.') < 0 && !method.equals("~")) {
					line.append(in.getName()).append('.');
				}
				line.append(method);
				separator = "|";
			}
		}
		System.out.println(line);
		System.out.flush();
	}
}
