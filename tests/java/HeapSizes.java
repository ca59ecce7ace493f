/** Objects whose sizes depend on how the VM lays out fields and arrays. */
public class HeapSizes {
    static class None { }
    static class Mixed { byte small; long wide; Object ref; }
    static class MixedMore extends Mixed { byte small; int number; }
    static class MixedMost extends MixedMore { short half; boolean flag; double wide; Object ref; }
    static class FromNone extends None { boolean flag; }
    static class Flag { boolean flag; }
    static class FlagWide extends Flag { long wide; byte small; }
    static class FlagWidest extends FlagWide { int number; short half; byte small; }
    static class Refs { Object a, b, c; char letter; }
    static class RefsMore extends Refs { Object d; float ratio; }
    static class Own extends Thread { boolean flag; }
    static class Failure extends InternalError { byte code; }

    static final int LENGTHS = 70;
    static final Object[] kept = {
        new None(), new Mixed(), new MixedMore(), new MixedMost(), new FromNone(), new Flag(),
        new FlagWide(), new FlagWidest(), new Refs(), new RefsMore(), new Own(), new Failure(),
    };
    static final Object[][] arrays = new Object[3][LENGTHS];

    public static void main(String[] args) {
        for (int i = 0; i < LENGTHS; i++) {
            arrays[0][i] = new None[i];
            arrays[1][i] = new double[i];
            arrays[2][i] = new float[i];
        }
    }
}
