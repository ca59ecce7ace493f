import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses and prints a generated JSON document, the same in every run. */
public class JsonWork {
	static final int ROUNDS = 12;

	enum Kind { OPEN, CLOSE, OPEN_ARRAY, CLOSE_ARRAY, COMMA, COLON, TEXT, NUMBER, WORD, END }

	static final class Token {
		final Kind kind;
		final String text;

		Token(Kind kind, String text) {
			this.kind = kind;
			this.text = text;
		}
	}

	static final class Lexer {
		private final String input;
		private int at;

		Lexer(String input) {
			this.input = input;
		}

		Token next() {
			skipBlanks();
			if (at == input.length()) {
				return new Token(Kind.END, "");
			}
			char c = input.charAt(at);
			switch (c) {
				case '{':
					return single(Kind.OPEN);
				case '}':
					return single(Kind.CLOSE);
				case '[':
					return single(Kind.OPEN_ARRAY);
				case ']':
					return single(Kind.CLOSE_ARRAY);
				case ',':
					return single(Kind.COMMA);
				case ':':
					return single(Kind.COLON);
				case '"':
					return text();
				default:
					return Character.isLetter(c) ? word() : number();
			}
		}

		private void skipBlanks() {
			while (at < input.length() && isBlank(input.charAt(at))) {
				at++;
			}
		}

		private boolean isBlank(char c) {
			return c == ' ' || c == '\n' || c == '\t';
		}

		private Token single(Kind kind) {
			at++;
			return new Token(kind, "");
		}

		private Token text() {
			StringBuilder out = new StringBuilder();
			at++;
			while (input.charAt(at) != '"') {
				char c = input.charAt(at++);
				if (c == '\\') {
					c = escaped(input.charAt(at++));
				}
				out.append(c);
			}
			at++;
			return new Token(Kind.TEXT, out.toString());
		}

		private char escaped(char c) {
			switch (c) {
				case 'n':
					return '\n';
				case 't':
					return '\t';
				default:
					return c;
			}
		}

		private Token word() {
			int start = at;
			while (at < input.length() && Character.isLetter(input.charAt(at))) {
				at++;
			}
			return new Token(Kind.WORD, input.substring(start, at));
		}

		private Token number() {
			int start = at;
			while (at < input.length() && "+-.eE0123456789".indexOf(input.charAt(at)) >= 0) {
				at++;
			}
			return new Token(Kind.NUMBER, input.substring(start, at));
		}
	}

	static final class Parser {
		private final Lexer lexer;
		private Token token;
		int values;

		Parser(String input) {
			lexer = new Lexer(input);
			advance();
		}

		private void advance() {
			token = lexer.next();
		}

		private void expect(Kind kind) {
			if (token.kind != kind) {
				throw new IllegalStateException(token.kind + " instead of " + kind);
			}
			advance();
		}

		Object value() {
			values++;
			switch (token.kind) {
				case OPEN:
					return object();
				case OPEN_ARRAY:
					return array();
				case TEXT:
					return leaf(token.text);
				case NUMBER:
					return leaf(Double.valueOf(token.text));
				default:
					return leaf(token.text.equals("null") ? null : Boolean.valueOf(token.text));
			}
		}

		private Object leaf(Object value) {
			advance();
			return value;
		}

		private Map<String, Object> object() {
			Map<String, Object> map = new LinkedHashMap<>();
			advance();
			while (token.kind != Kind.CLOSE) {
				String key = token.text;
				expect(Kind.TEXT);
				expect(Kind.COLON);
				map.put(key, value());
				if (token.kind == Kind.COMMA) {
					advance();
				}
			}
			advance();
			return map;
		}

		private List<Object> array() {
			List<Object> list = new ArrayList<>();
			advance();
			while (token.kind != Kind.CLOSE_ARRAY) {
				list.add(value());
				if (token.kind == Kind.COMMA) {
					advance();
				}
			}
			advance();
			return list;
		}
	}

	static final class Printer {
		private final StringBuilder out = new StringBuilder();

		String print(Object value) {
			write(value);
			return out.toString();
		}

		private void write(Object value) {
			if (value instanceof Map) {
				writeMap((Map<?, ?>) value);
			} else if (value instanceof List) {
				writeList((List<?>) value);
			} else if (value instanceof String) {
				writeText((String) value);
			} else {
				out.append(value);
			}
		}

		private void writeMap(Map<?, ?> map) {
			out.append('{');
			map.forEach((key, value) -> {
				writeText((String) key);
				out.append(':');
				write(value);
				out.append(',');
			});
			out.append('}');
		}

		private void writeList(List<?> list) {
			out.append('[');
			for (Object value : list) {
				write(value);
				out.append(',');
			}
			out.append(']');
		}

		private void writeText(String text) {
			out.append('"');
			for (int i = 0; i < text.length(); i++) {
				char c = text.charAt(i);
				if (c == '"' || c == '\\') {
					out.append('\\');
				}
				out.append(c);
			}
			out.append('"');
		}
	}

	private static long seed = 42;

	private static int random(int bound) {
		seed = seed * 6364136223846793005L + 1442695040888963407L;
		return (int) ((seed >>> 33) % bound);
	}

	private static void generate(StringBuilder out, int depth) {
		int kind = depth == 0 ? 2 + random(4) : random(6);
		if (kind == 0) {
			out.append('{');
			int count = random(6);
			for (int i = 0; i < count; i++) {
				out.append(i == 0 ? "" : ", ").append("\"key").append(i).append("\": ");
				generate(out, depth - 1);
			}
			out.append('}');
		} else if (kind == 1) {
			out.append('[');
			int count = random(8);
			for (int i = 0; i < count; i++) {
				out.append(i == 0 ? "" : ",\n");
				generate(out, depth - 1);
			}
			out.append(']');
		} else if (kind == 2) {
			out.append("\"text \\\"").append(random(1000)).append("\\n\"");
		} else if (kind == 3) {
			out.append(random(100000)).append('.').append(random(100));
		} else {
			out.append(random(2) == 0 ? "true" : "null");
		}
	}

	public static void main(String[] arguments) {
		StringBuilder text = new StringBuilder("[");
		for (int i = 0; i < 120; i++) {
			text.append(i == 0 ? "" : ",");
			generate(text, 6);
		}
		text.append(']');
		long printed = 0;
		int values = 0;
		for (int round = 0; round < ROUNDS; round++) {
			Parser parser = new Parser(text.toString());
			Object value = parser.value();
			values += parser.values;
			printed += new Printer().print(value).length();
		}
		System.out.println("values " + values + ", characters " + printed);
	}
}
