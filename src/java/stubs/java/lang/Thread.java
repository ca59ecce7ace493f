package java.lang;

/**
 * What HprofTracker calls of the class of that name, for the compiler: a JDK before 19 has no
 * currentCarrierThread(), and no other class may call it. Not in the agent.
 */
public class Thread {
	/** The calling thread, virtual or not. */
	public static native Thread currentThread();

	/** The calling thread, or the one that a virtual thread runs on. */
	static native Thread currentCarrierThread();
}
