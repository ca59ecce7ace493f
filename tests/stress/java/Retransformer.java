import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** An agent that has all classes retransformed again and again, and changes none. */
public class Retransformer {
    static class Same implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
                                ProtectionDomain domain, byte[] bytes) {
            return bytes.clone();
        }
    }

    static void transformAll(Instrumentation instrumentation) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> each : instrumentation.getAllLoadedClasses()) {
            if (instrumentation.isModifiableClass(each)) {
                classes.add(each);
            }
        }
        for (Class<?> each : classes) {
            try {
                instrumentation.retransformClasses(each);
            } catch (Exception | LinkageError e) {
                System.out.println("not retransformed: " + each + ": " + e);
                Runtime.getRuntime().halt(7);
            }
        }
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Same(), true);
        Thread thread = new Thread(() -> {
            while (true) {
                transformAll(instrumentation);
            }
        }, "retransformer");
        thread.setDaemon(true);
        thread.start();
    }
}
