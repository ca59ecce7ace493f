import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The JDK's HTTP server with an order form: GET /order?N answers with order N, its lines sorted and
 * summed. Prints its port. Ends after a request of /end.
 */
public class HttpWork {
	static final int THREADS = 4;
	static final int LINES = 40;

	static final class Line {
		final String name;
		final int count;
		final long cents;

		Line(String name, int count, long cents) {
			this.name = name;
			this.count = count;
			this.cents = cents;
		}

		long sum() {
			return count * cents;
		}
	}

	static List<Line> order(int number) {
		List<Line> lines = new ArrayList<>();
		int state = number;
		for (int i = 0; i < LINES; i++) {
			state = state * 1103515245 + 12345;
			int word = state >>> 8;
			lines.add(new Line("part-" + Integer.toString(word % 46656, 36), word % 9 + 1,
					word % 10007));
		}
		lines.sort(Comparator.comparingLong(Line::sum).reversed().thenComparing(line -> line.name));
		return lines;
	}

	static String page(int number) {
		StringBuilder page = new StringBuilder("{\"order\": " + number + ", \"lines\": [");
		long total = 0;
		for (Line line : order(number)) {
			total += line.sum();
			page.append(String.format("{\"name\": \"%s\", \"count\": %d, \"sum\": %d},\n", line.name,
					line.count, line.sum()));
		}
		return page.append("], \"total\": ").append(total).append("}\n").toString();
	}

	static void answer(HttpExchange exchange) throws IOException {
		int number = Integer.parseInt(exchange.getRequestURI().getQuery());
		byte[] body = page(number).getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	public static void main(String[] arguments) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(THREADS);
		HttpServer server = HttpServer.create(
				new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setExecutor(pool);
		server.createContext("/order", HttpWork::answer);
		server.createContext("/end", exchange -> {
			exchange.sendResponseHeaders(204, -1);
			exchange.close();
			new Thread(() -> {
				server.stop(0);
				pool.shutdown();
			}).start();
		});
		server.start();
		System.out.println("port=" + server.getAddress().getPort());
	}
}
