import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Matrices, sorting, graphs and the usual collections; the same work in every run. */
public class CollectionsWork {
	static final int NODES = 400;

	static final class Random {
		private long seed;

		Random(long seed) {
			this.seed = seed;
		}

		int below(int bound) {
			seed = seed * 6364136223846793005L + 1442695040888963407L;
			return (int) ((seed >>> 33) % bound);
		}
	}

	static final class Matrix {
		private final double[][] cells;

		Matrix(int size) {
			cells = new double[size][size];
		}

		double get(int row, int column) {
			return cells[row][column];
		}

		void set(int row, int column, double value) {
			cells[row][column] = value;
		}

		Matrix times(Matrix other) {
			Matrix result = new Matrix(cells.length);
			for (int row = 0; row < cells.length; row++) {
				for (int column = 0; column < cells.length; column++) {
					result.set(row, column, dot(other, row, column));
				}
			}
			return result;
		}

		private double dot(Matrix other, int row, int column) {
			double sum = 0;
			for (int i = 0; i < cells.length; i++) {
				sum += get(row, i) * other.get(i, column);
			}
			return sum;
		}

		double trace() {
			double sum = 0;
			for (int i = 0; i < cells.length; i++) {
				sum += get(i, i);
			}
			return sum;
		}
	}

	static final class Point implements Comparable<Point> {
		final int x;
		final int y;

		Point(int x, int y) {
			this.x = x;
			this.y = y;
		}

		@Override
		public int hashCode() {
			return 31 * x + y;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Point && ((Point) other).x == x && ((Point) other).y == y;
		}

		@Override
		public int compareTo(Point other) {
			return x != other.x ? Integer.compare(x, other.x) : Integer.compare(y, other.y);
		}

		int distance(Point other) {
			return Math.abs(x - other.x) + Math.abs(y - other.y);
		}
	}

	/** Without a hashCode of its own: it has an identity hash. */
	static final class Node {
		final int number;
		final List<Edge> edges = new ArrayList<>();

		Node(int number) {
			this.number = number;
		}

		void connect(Node other, int length) {
			edges.add(new Edge(other, length));
			other.edges.add(new Edge(this, length));
		}
	}

	static final class Edge {
		final Node to;
		final int length;

		Edge(Node to, int length) {
			this.to = to;
			this.length = length;
		}
	}

	static final class Step {
		final Node node;
		final int distance;

		Step(Node node, int distance) {
			this.node = node;
			this.distance = distance;
		}

		int distance() {
			return distance;
		}
	}

	static double multiply() {
		Random random = new Random(1);
		Matrix matrix = new Matrix(40);
		for (int row = 0; row < 40; row++) {
			for (int column = 0; column < 40; column++) {
				matrix.set(row, column, random.below(10));
			}
		}
		return matrix.times(matrix).times(matrix).trace();
	}

	static int sortPoints() {
		Random random = new Random(2);
		List<Point> points = new ArrayList<>();
		for (int i = 0; i < 4000; i++) {
			points.add(new Point(random.below(50), random.below(50)));
		}
		points.sort(null);
		points.sort(Comparator.comparingInt((Point point) -> point.y).thenComparing(Point::compareTo));
		Map<Point, Integer> counts = new HashMap<>();
		for (Point point : points) {
			counts.merge(point, 1, Integer::sum);
		}
		TreeMap<Point, Integer> sorted = new TreeMap<>(counts);
		int sum = 0;
		for (Map.Entry<Point, Integer> entry : sorted.entrySet()) {
			sum += entry.getKey().distance(sorted.firstKey()) * entry.getValue();
		}
		return sum;
	}

	static List<Node> graph() {
		Random random = new Random(3);
		List<Node> nodes = new ArrayList<>();
		for (int i = 0; i < NODES; i++) {
			nodes.add(new Node(i));
		}
		for (int i = 1; i < NODES; i++) {
			nodes.get(i).connect(nodes.get(random.below(i)), 1 + random.below(9));
			nodes.get(i).connect(nodes.get(random.below(NODES)), 1 + random.below(9));
		}
		return nodes;
	}

	static int shortestPaths(List<Node> nodes) {
		Map<Node, Integer> done = new HashMap<>();
		PriorityQueue<Step> queue = new PriorityQueue<>(Comparator.comparingInt(Step::distance));
		queue.add(new Step(nodes.get(0), 0));
		while (!queue.isEmpty()) {
			Step step = queue.poll();
			if (done.putIfAbsent(step.node, step.distance) != null) {
				continue;
			}
			for (Edge edge : step.node.edges) {
				queue.add(new Step(edge.to, step.distance + edge.length));
			}
		}
		int sum = 0;
		for (Map.Entry<Node, Integer> entry : done.entrySet()) {
			sum += weigh(entry.getKey(), entry.getValue());
		}
		return sum;
	}

	static int weigh(Node node, int distance) {
		return node.number % 7 * distance;
	}

	static int reach(List<Node> nodes) {
		Set<Node> seen = new HashSet<>();
		ArrayDeque<Node> queue = new ArrayDeque<>();
		queue.add(nodes.get(0));
		while (!queue.isEmpty()) {
			Node node = queue.remove();
			if (seen.add(node)) {
				for (Edge edge : node.edges) {
					queue.add(edge.to);
				}
			}
		}
		return seen.size();
	}

	static String groups() {
		Random random = new Random(4);
		List<String> words = new ArrayList<>();
		for (int i = 0; i < 3000; i++) {
			words.add(word(random));
		}
		Map<Integer, Long> lengths = words.stream().filter(CollectionsWork::isKept)
				.collect(Collectors.groupingBy(String::length, Collectors.counting()));
		ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
		for (String word : words) {
			counts.computeIfAbsent(word.substring(0, 2), CollectionsWork::rank);
		}
		return lengths + " " + counts.values().stream().mapToInt(i -> i).sum();
	}

	static int rank(String word) {
		return word.charAt(0) - word.charAt(1);
	}

	static boolean isKept(String word) {
		return word.charAt(0) != 'q';
	}

	static String word(Random random) {
		StringBuilder out = new StringBuilder();
		int length = 2 + random.below(7);
		for (int i = 0; i < length; i++) {
			out.append((char) ('a' + random.below(26)));
		}
		return out.toString();
	}

	/** The order of an immutable set differs between runs. */
	static int immutable() {
		Set<String> names = Set.of("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta");
		int sum = 0;
		for (int i = 0; i < 100; i++) {
			for (String name : names) {
				sum += score(name);
			}
			sum += find(names, "e");
		}
		return sum > 0 ? 1 : 0;
	}

	static int score(String name) {
		return name.length();
	}

	/** Ends at the first match, which is another one in each run. */
	static int find(Set<String> names, String letter) {
		for (String name : names) {
			if (matches(name, letter)) {
				return score(name);
			}
		}
		return 0;
	}

	static boolean matches(String name, String letter) {
		return name.startsWith(letter);
	}

	public static void main(String[] arguments) {
		double trace = 0;
		int sum = 0;
		for (int round = 0; round < 3; round++) {
			trace += multiply();
			sum += sortPoints();
			List<Node> nodes = graph();
			sum += shortestPaths(nodes) + reach(nodes) + immutable();
		}
		System.out.println(trace + " " + sum + " " + groups());
	}
}
