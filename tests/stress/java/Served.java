import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/**
 * The JDK's HTTP server on a port of loopback, which it prints, until standard input ends.
 * A request is answered after work in collections and strings, in a pool of four threads.
 */
public class Served {
    static final Map<String, Integer> hits = new HashMap<>();

    static int count(String path) {
        synchronized (hits) {
            return hits.merge(path, 1, Integer::sum);
        }
    }

    static String page(String path, int hit) {
        TreeMap<String, Integer> words = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            words.merge("word" + (i * 31 + hit) % 57, i, Integer::sum);
        }
        StringBuilder text = new StringBuilder(path).append('\n');
        words.forEach((word, sum) -> text.append(word).append('=').append(sum).append('\n'));
        return text.toString();
    }

    static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] bytes = page(path, count(path)).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", Served::answer);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
        while (System.in.read() >= 0) {
            continue;
        }
        server.stop(0);
        System.out.println("done");
        System.exit(0);
    }
}
