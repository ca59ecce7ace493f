import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/*
 * The same work in every run, except what the arguments add.
 * usage: GateWork [call | allocation | salted]...
 */
public final class GateWork {
	static final int LINES = 200;
	static Object kept;
	static int calls;

	static void added() {
		calls++;
	}

	static int parse(String line, List<String> more) {
		if (more.remove("call"))
			added();
		if (more.remove("allocation"))
			kept = new byte[0];
		int sum = 0;
		for (String word : line.split(" "))
			sum += word.length();
		return sum;
	}

	static boolean matches(String name) {
		return name.endsWith("a");
	}

	/* Which element is the first differs between JVMs. */
	static int find(Set<String> names) {
		int tried = 0;
		for (String name : names) {
			tried++;
			if (matches(name))
				return tried;
		}
		return tried;
	}

	public static void main(String[] arguments) {
		List<String> more = new ArrayList<>(List.of(arguments));
		boolean salted = more.remove("salted");
		int sum = 0;
		for (int i = 0; i < LINES; i++)
			sum += parse("line number " + i, more);
		if (salted) {
			for (int i = 0; i < 20; i++)
				sum += find(Set.of("a" + i, "b" + i, "c" + i, "d" + i, "e" + i, i + "a"));
		}
		System.out.println("sum=" + (sum > 0));
	}
}
