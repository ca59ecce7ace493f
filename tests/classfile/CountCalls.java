/**
 * Runs another class's run() as rewritten by the plan "locals" or "every" and
 * checks the tracker's books: every method that was entered has left once, in its
 * turn, by return, by exception or unseen by its handler.
 */
public final class CountCalls {
	private CountCalls() {
	}

	public static void main(String[] args) throws Exception {
		NewCode.run();
		HprofTestTracker.watched = Thread.currentThread();
		NewCode.run();
		HprofTestTracker.watched = null;
		long left = HprofTestTracker.exits + HprofTestTracker.unwinds + HprofTestTracker.unseen;
		System.out.println("entered " + HprofTestTracker.enters + ", returned "
				+ HprofTestTracker.exits + ", thrown " + HprofTestTracker.unwinds + ", unseen "
				+ HprofTestTracker.unseen + ", open " + HprofTestTracker.depth + ", wrong "
				+ HprofTestTracker.wrong);
		if (HprofTestTracker.enters != left || HprofTestTracker.depth != 0
				|| HprofTestTracker.wrong != 0 || HprofTestTracker.enters == 0) {
			System.out.println("FAILED: the counts do not balance");
			System.exit(1);
		}
	}
}
