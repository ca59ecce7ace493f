/*
 * Makes objects at one site and says what their identity hashes are worth: whether one has changed
 * from one look to the next, how many values there are, and whether an IdentityHashMap finds each
 * object. Between the looks it says step=N and waits for a line.
 * usage: LiveHashes COUNT
 */
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

public final class LiveHashes {
	static class Thing {
	}

	static final int UNASKED = -1; // no identity hash is negative

	static Thing thing() {
		return new Thing();
	}

	/** Asks every so manieth object; how many have another hash than at the look before. */
	static int look(Thing[] things, int[] hashes, int every) {
		int changed = 0;
		for (int i = 0; i < things.length; i += every) {
			int hash = System.identityHashCode(things[i]);
			changed += hashes[i] != UNASKED && hashes[i] != hash ? 1 : 0;
			hashes[i] = hash;
		}
		return changed;
	}

	static int distinct(int[] hashes, IntUnaryOperator part) {
		int[] parts = Arrays.stream(hashes).map(part).toArray();
		Arrays.sort(parts);
		int distinct = 1;
		for (int i = 1; i < parts.length; i++) {
			distinct += parts[i] != parts[i - 1] ? 1 : 0;
		}
		return distinct;
	}

	public static void main(String[] args) {
		Thing[] things = new Thing[Integer.parseInt(args[0])];
		for (int i = 0; i < things.length; i++) {
			things[i] = thing();
		}
		int[] hashes = new int[things.length];
		Arrays.fill(hashes, UNASKED);
		Truth.say("pid", ProcessHandle.current().pid());
		int changed = look(things, hashes, 2);
		Truth.say("step", 0);
		Truth.waitForLine();
		changed += look(things, hashes, 1);
		System.gc();
		changed += look(things, hashes, 1);
		Truth.say("step", 1);
		Truth.waitForLine();
		changed += look(things, hashes, 1);
		Truth.say("changed", changed);

		Map<Thing, Thing> map = new IdentityHashMap<>();
		for (Thing thing : things) {
			map.put(thing, thing);
		}
		Truth.say("found", Arrays.stream(things).filter(thing -> map.get(thing) == thing).count());
		Truth.say("strangers", Arrays.stream(things).limit(1000)
				.filter(thing -> map.containsKey(new Thing())).count());
		Truth.say("smallest", Arrays.stream(hashes).min().getAsInt());
		Truth.say("distinct", distinct(hashes, hash -> hash));
		// What tables of a million entries make of them: IdentityHashMap, HashMap, the upper bits.
		Truth.say("distinct.identity", distinct(hashes, hash -> ((hash << 1) - (hash << 8)) >>> 1 & 0xfffff));
		Truth.say("distinct.hash", distinct(hashes, hash -> (hash ^ hash >>> 16) & 0xfffff));
		Truth.say("distinct.upper", distinct(hashes, hash -> hash >>> 11));
	}
}
