import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A template engine with expressions and filters; the same pages in every run. */
public class TemplateWork {
	static final Pattern TAG = Pattern.compile("\\{\\{\\s*([^}|]+?)\\s*((?:\\|\\s*\\w+\\s*)*)\\}\\}"
			+ "|\\{%\\s*(for|end|if)\\s*(\\w*)\\s*(?:in)?\\s*(\\w*)\\s*%\\}");
	static final Pattern WORD = Pattern.compile("\\w+");
	static final Map<String, UnaryOperator<String>> FILTERS = Map.of(
			"upper", text -> text.toUpperCase(Locale.ROOT),
			"lower", text -> text.toLowerCase(Locale.ROOT),
			"trim", String::trim,
			"escape", TemplateWork::escape,
			"reverse", text -> new StringBuilder(text).reverse().toString());

	interface Part {
		void render(Scope scope, StringBuilder out);
	}

	static final class Scope {
		private final Scope parent;
		private final Map<String, Object> values = new HashMap<>();

		Scope(Scope parent) {
			this.parent = parent;
		}

		Object get(String name) {
			Object value = values.get(name);
			return value != null || parent == null ? value : parent.get(name);
		}

		void set(String name, Object value) {
			values.put(name, value);
		}
	}

	static final class Text implements Part {
		private final String text;

		Text(String text) {
			this.text = text;
		}

		@Override
		public void render(Scope scope, StringBuilder out) {
			out.append(text);
		}
	}

	static final class Expression implements Part {
		private final String source;
		private final List<UnaryOperator<String>> filters = new ArrayList<>();
		private int at;

		Expression(String source, String filterList) {
			this.source = source;
			Matcher words = WORD.matcher(filterList);
			while (words.find()) {
				filters.add(FILTERS.get(words.group()));
			}
		}

		@Override
		public void render(Scope scope, StringBuilder out) {
			at = 0;
			String text = String.valueOf(sum(scope));
			for (UnaryOperator<String> filter : filters) {
				text = filter.apply(text);
			}
			out.append(text);
		}

		private Object sum(Scope scope) {
			Object value = product(scope);
			while (accept('+')) {
				value = add(value, product(scope));
			}
			return value;
		}

		private Object product(Scope scope) {
			Object value = atom(scope);
			while (accept('*')) {
				value = number(value) * number(atom(scope));
			}
			return value;
		}

		private Object atom(Scope scope) {
			blanks();
			int start = at;
			while (at < source.length() && Character.isLetterOrDigit(source.charAt(at))) {
				at++;
			}
			String word = source.substring(start, at);
			return Character.isDigit(word.charAt(0)) ? (Object) Integer.valueOf(word) : scope.get(word);
		}

		private boolean accept(char c) {
			blanks();
			if (at < source.length() && source.charAt(at) == c) {
				at++;
				return true;
			}
			return false;
		}

		private void blanks() {
			while (at < source.length() && source.charAt(at) == ' ') {
				at++;
			}
		}

		private static Object add(Object one, Object other) {
			if (one instanceof Integer && other instanceof Integer) {
				return number(one) + number(other);
			}
			return String.valueOf(one) + other;
		}

		private static int number(Object value) {
			return value instanceof Integer ? (Integer) value : 0;
		}
	}

	static final class Block implements Part {
		final List<Part> parts = new ArrayList<>();

		@Override
		public void render(Scope scope, StringBuilder out) {
			for (Part part : parts) {
				part.render(scope, out);
			}
		}
	}

	static final class Loop implements Part {
		private final String name;
		private final String list;
		final Block body = new Block();

		Loop(String name, String list) {
			this.name = name;
			this.list = list;
		}

		@Override
		public void render(Scope scope, StringBuilder out) {
			for (Object value : (List<?>) scope.get(list)) {
				Scope inner = new Scope(scope);
				inner.set(name, value);
				body.render(inner, out);
			}
		}
	}

	static final class Condition implements Part {
		private final String name;
		final Block body = new Block();

		Condition(String name) {
			this.name = name;
		}

		@Override
		public void render(Scope scope, StringBuilder out) {
			if (holds(scope.get(name))) {
				body.render(scope, out);
			}
		}

		private static boolean holds(Object value) {
			return value instanceof Integer ? (Integer) value % 2 == 0 : value != null;
		}
	}

	static Block parse(String source) {
		List<Block> open = new ArrayList<>();
		open.add(new Block());
		Matcher tag = TAG.matcher(source);
		int end = 0;
		while (tag.find()) {
			Block block = open.get(open.size() - 1);
			block.parts.add(new Text(source.substring(end, tag.start())));
			end = tag.end();
			if (tag.group(1) != null) {
				block.parts.add(new Expression(tag.group(1), tag.group(2)));
			} else if (tag.group(3).equals("end")) {
				open.remove(open.size() - 1);
			} else if (tag.group(3).equals("for")) {
				Loop loop = new Loop(tag.group(4), tag.group(5));
				block.parts.add(loop);
				open.add(loop.body);
			} else {
				Condition condition = new Condition(tag.group(4));
				block.parts.add(condition);
				open.add(condition.body);
			}
		}
		open.get(0).parts.add(new Text(source.substring(end)));
		return open.get(0);
	}

	static String escape(String text) {
		StringBuilder out = new StringBuilder();
		for (char c : text.toCharArray()) {
			escapeOne(c, out);
		}
		return out.toString();
	}

	private static void escapeOne(char c, StringBuilder out) {
		if (c == '<') {
			out.append("&lt;");
		} else if (c == '&') {
			out.append("&amp;");
		} else {
			out.append(c);
		}
	}

	static List<Object> items(int count) {
		List<Object> items = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			items.add(i % 3 == 0 ? (Object) ("item <" + i + "> & more ") : Integer.valueOf(i));
		}
		return items;
	}

	public static void main(String[] arguments) {
		String source = "<h1>{{ title | upper }}</h1>{% for item in items %}{% if item %}"
				+ "<li>{{ item + 1 | trim | escape }} {{ 2 * 3 + 4 }}</li>{% end %}"
				+ "<p>{{ title + item | lower | reverse }}</p>{% end %}<hr>";
		long length = 0;
		for (int page = 0; page < 150; page++) {
			Block template = parse(source.repeat(1 + page % 4));
			Scope scope = new Scope(null);
			scope.set("title", "Page " + page);
			scope.set("items", items(20 + page % 10));
			StringBuilder out = new StringBuilder();
			template.render(scope, out);
			length += out.length();
		}
		System.out.println("characters " + length);
	}
}
