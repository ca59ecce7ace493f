/*
 * Demo.java: a program with faults that a profile shows at once. `make demo` profiles it.
 *
 * Two clerks write the bills for the orders of a shop:
 *   findCustomer   searches all customers from the first one, for each order: CPU time
 *   writeBill      copies the whole bill for each item that it adds: allocation
 *   Ledger.post    saves bills, slowly, while it holds the lock: clerks that wait; and keeps
 *                  them: live objects
 *
 * usage: java Demo [ROUNDS]     does the same work ROUNDS times; default 10
 */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

public final class Demo {
	static final int CUSTOMERS = 20_000;
	static final int ORDERS = 6_000;
	static final int ITEMS = 40;
	static final int BATCH = 100;

	static final class Customer {
		final int number;
		final String name;

		Customer(int number) {
			this.number = number;
			this.name = "customer ".concat(Integer.toString(number));
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
		private final Customer[] customers;
		private final Ledger ledger;
		private final int first;

		Clerk(String name, Customer[] customers, Ledger ledger, int first) {
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
			Customer customer = findCustomer((int) (order * 7919L % CUSTOMERS));
			return writeBill(order, customer);
		}

		private Customer findCustomer(int number) {
			for (Customer customer : customers) {
				if (customer.number == number) {
					return customer;
				}
			}
			throw new IllegalArgumentException("no customer " + number);
		}

		private static String writeBill(int order, Customer customer) {
			String bill = customer.name;
			for (int item = 0; item < ITEMS; item++) {
				bill = bill.concat(", item ").concat(Integer.toString(order + item));
			}
			return bill;
		}
	}

	static Customer[] loadCustomers() {
		Customer[] customers = new Customer[CUSTOMERS];
		for (int i = 0; i < CUSTOMERS; i++) {
			customers[i] = new Customer(i);
		}
		return customers;
	}

	public static void main(String[] arguments) throws InterruptedException {
		int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
		Customer[] customers = loadCustomers();
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
