import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small shop: the JDK's HTTP server takes orders. For each it computes a price, takes goods from a
 * stock that all requests share, and writes the order to a journal on the disk.
 *
 *   java Orders server JOURNAL      prints its port; ends when standard input does
 *   java Orders clients PORT NUMBER SECONDS
 */
public final class Orders {
	static final Map<String, Integer> STOCK = new TreeMap<>();

	static int price(String order) {
		int price = 0;
		for (int i = 0; i < 400; i++) {
			price += String.format("%s-%d", order, i).hashCode() & 7;
		}
		return price;
	}

	static int take(String order) {
		synchronized (STOCK) {
			for (int i = 0; i < 100; i++) {
				STOCK.merge("goods " + (order.hashCode() + i) % 500, 1, Integer::sum);
			}
			return STOCK.size();
		}
	}

	static void write(RandomAccessFile journal, String order) throws IOException {
		synchronized (journal) {
			journal.write(order.getBytes(StandardCharsets.UTF_8));
			journal.getFD().sync();
		}
	}

	static void answer(HttpExchange exchange, RandomAccessFile journal) throws IOException {
		String order = exchange.getRequestURI().getPath();
		int price = price(order);
		int kinds = take(order);
		write(journal, order + " " + price + "\n");
		byte[] text = (price + " of " + kinds + "\n").getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(200, text.length);
		exchange.getResponseBody().write(text);
		exchange.close();
	}

	static void serve(String journal) throws IOException {
		RandomAccessFile file = new RandomAccessFile(journal, "rw");
		HttpServer server = HttpServer.create(
			new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", exchange -> answer(exchange, file));
		server.setExecutor(Executors.newFixedThreadPool(64));
		server.start();
		System.out.println(server.getAddress().getPort());
		while (System.in.read() >= 0) {
			continue;
		}
		System.exit(0);
	}

	static final AtomicLong answers = new AtomicLong();

	static void order(URL url, byte[] buffer) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) url.openConnection();
		try (InputStream in = connection.getInputStream()) {
			while (in.read(buffer) >= 0) {
				continue;
			}
		}
		answers.incrementAndGet();
	}

	static void orderUntil(long endNs, String port, int client) {
		byte[] buffer = new byte[1000];
		try {
			for (int i = 0; System.nanoTime() < endNs; i++) {
				order(new URL("http://127.0.0.1:" + port + "/order-" + client + "-" + i), buffer);
			}
		} catch (IOException e) {
			throw new IllegalStateException(e);
		}
	}

	static void orderAll(String port, int number, int seconds) throws InterruptedException {
		long endNs = System.nanoTime() + seconds * 1_000_000_000L;
		Thread[] clients = new Thread[number];
		for (int i = 0; i < number; i++) {
			int client = i;
			clients[i] = new Thread(() -> orderUntil(endNs, port, client));
			clients[i].start();
		}
		for (Thread client : clients) {
			client.join();
		}
		System.out.println(answers.get());
	}

	public static void main(String[] arguments) throws Exception {
		if (arguments[0].equals("server")) {
			serve(arguments[1]);
		} else {
			orderAll(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
		}
	}
}
