import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Load for HttpWork: so many requests by so many connections, each of which sends the next request
 * when it has the answer to the last. Prints the seconds, the 99th percentile of the times of
 * answers, and a sum over all bodies, which does not depend on their order.
 */
public class HttpLoad {
	private static final int CONNECTIONS = 4;

	private static final class Client extends Thread {
		private final int port;
		private final int first;
		private final long[] nanos;
		private long sum;
		private IOException failure;

		Client(int port, int first, int requests) {
			this.port = port;
			this.first = first;
			this.nanos = new long[requests];
		}

		@Override
		public void run() {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				socket.setTcpNoDelay(true);
				InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
				for (int i = 0; i < nanos.length; i++) {
					long begun = System.nanoTime();
					CRC32 crc = new CRC32();
					crc.update(get(socket, in, "/order?" + (first + i)));
					sum += crc.getValue();
					nanos[i] = System.nanoTime() - begun;
				}
			} catch (IOException error) {
				failure = error;
			}
		}
	}

	/** The body of the answer. */
	static byte[] get(Socket socket, InputStream in, String path) throws IOException {
		OutputStream out = socket.getOutputStream();
		out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(
				StandardCharsets.US_ASCII));
		String status = line(in);
		if (!status.startsWith("HTTP/1.1 20")) {
			throw new IOException(path + ": " + status);
		}
		int length = 0;
		for (String header = line(in); !header.isEmpty(); header = line(in)) {
			if (header.toLowerCase().startsWith("content-length:")) {
				length = Integer.parseInt(header.substring("content-length:".length()).trim());
			}
		}
		return in.readNBytes(length);
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder text = new StringBuilder();
		for (int c = in.read(); c != '\n'; c = in.read()) {
			if (c < 0) {
				throw new IOException("the server closed the connection");
			}
			if (c != '\r') {
				text.append((char) c);
			}
		}
		return text.toString();
	}

	public static void main(String[] arguments) throws Exception {
		int port = Integer.parseInt(arguments[0]);
		int requests = Integer.parseInt(arguments[1]) / CONNECTIONS;
		Client[] clients = new Client[CONNECTIONS];
		long begun = System.nanoTime();
		for (int i = 0; i < CONNECTIONS; i++) {
			clients[i] = new Client(port, i * requests, requests);
			clients[i].start();
		}
		long sum = 0;
		long[] nanos = new long[requests * CONNECTIONS];
		for (int i = 0; i < CONNECTIONS; i++) {
			clients[i].join();
			if (clients[i].failure != null) {
				throw clients[i].failure;
			}
			sum += clients[i].sum;
			System.arraycopy(clients[i].nanos, 0, nanos, i * requests, requests);
		}
		double seconds = (System.nanoTime() - begun) / 1e9;
		Arrays.sort(nanos);
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			get(socket, socket.getInputStream(), "/end");
		}
		System.out.println("seconds=" + seconds);
		System.out.println("p99_ms=" + nanos[(int) Math.ceil(nanos.length * 0.99) - 1] / 1e6);
		System.out.println("sum=" + sum);
	}
}
