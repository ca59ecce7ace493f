"""The H2 database, in memory, with a script that it runs: tables, joins, groups, updates."""

from lib.fetch import Jar, fetch_jar
from lib.programs.program import FULL, SMALL, Program
from lib.workplace import WORK

H2_JAR = Jar("com.h2database", "h2", "2.3.232",
             "8dae62d22db8982c3dcb3826edb9c727c5d302063a67eef7d63d82de401f07d3")
ORDERS = {FULL: 120_000, SMALL: 10_000}

SCRIPT = """
CREATE TABLE customer(id INT PRIMARY KEY, name VARCHAR(40), region INT);
CREATE TABLE orders(id INT PRIMARY KEY, customer INT, due INT, cents BIGINT, note VARCHAR(80));
CREATE TABLE line(id INT PRIMARY KEY, orders INT, part INT, quantity INT);
INSERT INTO customer SELECT X, 'customer ' || MOD(X * 7919, 10007), MOD(X, 17)
    FROM SYSTEM_RANGE(1, {orders} / 20);
INSERT INTO orders SELECT X, MOD(X * 31, {orders} / 20) + 1, MOD(X * 13, 365),
    MOD(X * 7907, 100003), 'note ' || MOD(X * 104729, 1000003) FROM SYSTEM_RANGE(1, {orders});
INSERT INTO line SELECT X, MOD(X * 37, {orders}) + 1, MOD(X * 11, 997), MOD(X, 9) + 1
    FROM SYSTEM_RANGE(1, {orders} * 2);
CREATE INDEX orders_customer ON orders(customer);
CREATE INDEX line_orders ON line(orders);
SELECT c.region, COUNT(*), SUM(o.cents), MAX(o.due) FROM customer c JOIN orders o
    ON o.customer = c.id GROUP BY c.region ORDER BY c.region;
SELECT l.part, SUM(l.quantity * o.cents) AS worth FROM line l JOIN orders o ON o.id = l.orders
    GROUP BY l.part ORDER BY worth DESC, l.part LIMIT 20;
UPDATE orders SET cents = cents + 100, note = UPPER(note) WHERE MOD(id, 3) = 0;
DELETE FROM line WHERE MOD(id, 10) = 3;
SELECT SUBSTRING(note, 6, 2) AS begins, COUNT(*), MIN(note), MAX(note) FROM orders
    GROUP BY begins ORDER BY begins LIMIT 30;
SELECT name, (SELECT SUM(cents) FROM orders o WHERE o.customer = c.id) AS worth FROM customer c
    ORDER BY worth DESC, id LIMIT 20;
SELECT due, worth, SUM(worth) OVER (ORDER BY due) FROM
    (SELECT due, SUM(cents) AS worth FROM orders GROUP BY due) ORDER BY due LIMIT 40;
WITH RECURSIVE step(n, v) AS (SELECT 1, CAST(1 AS BIGINT) UNION ALL
    SELECT n + 1, MOD(v * 69069 + 1, 65536) FROM step WHERE n < {orders} / 4)
    SELECT COUNT(DISTINCT v), SUM(v) FROM step;
SELECT COUNT(*) FROM orders WHERE note LIKE '%77%' OR note REGEXP '1[0-4]+9';
"""


class H2(Program):
    """The script with its results on standard output."""

    name = "h2"
    version = H2_JAR.version

    def prepare(self, jdks):
        fetch_jar(H2_JAR)
        for size, orders in ORDERS.items():
            self._script(size).write_text(SCRIPT.format(orders=orders), encoding="ascii")

    @staticmethod
    def _script(size):
        return WORK / f"script-{size}.sql"

    def arguments(self, size):
        return ["-Xmx2g", "-cp", str(fetch_jar(H2_JAR)), "org.h2.tools.RunScript", "-url",
                "jdbc:h2:mem:bench", "-showResults", "-script", str(self._script(size))]
