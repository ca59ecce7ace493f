/*
 * Demo.java: a program with faults that a profile shows at once. `make demo` profiles it.
 *
 * Two clerks write the bills for the orders of a shop:
 *   findCustomer   searches all customers from the first one, for each order: CPU time
 *   writeBill      copies the whole bill for each item that it adds: allocation
 *   Ledger.post    saves bills, slowly, while it holds the lock: clerks that wait; and keeps
 *                  them: live objects
 *
 * usage: java Demo [ROUNDS]     does the same work ROUNDS times; default 16
 */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

public final class Demo {
	static final int CUSTOMERS = 60_000;
	static final int ORDERS = 40_000;
	static final int ITEMS = 12;
	static final int BATCH = 1_000;

	static final class Customers {
		final int[] numbers = new int[CUSTOMERS];
		final String[] names = new String[CUSTOMERS];

		Customers() {
			for (int i = 0; i < CUSTOMERS; i++) {
				numbers[i] = i;
				names[i] = "customer ".concat(Integer.toString(i));
			}
		}
	}

	static final class Ledger {
		private final List<String> bills = new ArrayList<>();

		synchronized void post(List<String> batch) {
			save();
			bills.addAll(batch);
		}

		/* As long as a disk takes. */
		private static void save() {
			LockSupport.parkNanos(4_000_000);
		}

		synchronized int size() {
			return bills.size();
		}
	}

	static final class Clerk extends Thread {
		private final Customers customers;
		private final Ledger ledger;
		private final int first;

		Clerk(String name, Customers customers, Ledger ledger, int first) {
			super(name);
			this.customers = customers;
			this.ledger = ledger;
			this.first = first;
		}

		@Override
		public void run() {
			List<String> batch = new ArrayList<>();
			for (int order = first; order < ORDERS; order += 2) {
				batch.add(process(order));
				if (batch.size() == BATCH) {
					ledger.post(batch);
					batch.clear();
				}
			}
			ledger.post(batch);
		}

		private String process(int order) {
			int number = (int) (order * 7919L % CUSTOMERS);
			return writeBill(order, customers.names[findCustomer(number)]);
		}

		private int findCustomer(int number) {
			for (int i = 0; i < CUSTOMERS; i++) {
				if (customers.numbers[i] == number) {
					return i;
				}
			}
			throw new IllegalArgumentException("no customer " + number);
		}

		private static String writeBill(int order, String customer) {
			String bill = customer;
			for (int item = 0; item < ITEMS; item++) {
				bill = bill.concat(", item ").concat(Integer.toString(order + item));
			}
			return bill;
		}
	}

	public static void main(String[] arguments) throws InterruptedException {
		int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 16;
		Customers customers = new Customers();
		Ledger ledger = new Ledger();
		for (int round = 0; round < rounds; round++) {
			Clerk anna = new Clerk("anna", customers, ledger, 0);
			Clerk otto = new Clerk("otto", customers, ledger, 1);
			anna.start();
			otto.start();
			anna.join();
			otto.join();
		}
		System.out.println(ledger.size() + " bills");
	}
}
