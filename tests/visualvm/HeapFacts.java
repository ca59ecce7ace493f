import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.graalvm.visualvm.lib.jfluid.heap.FieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.GCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectFieldValue;

/**
 * What VisualVM's heap library reads from a dump, without anything that depends on
 * addresses: classes with their instances, roots by kind and class, and of the classes
 * named behind the file all instances with their fields and paths to the nearest root. Of
 * those named REGEX@N each N-th; of those named REGEX%N a sum over the fields of all, how
 * many have the same fields for one N-th of these, and the paths of the only ones.
 */
public class HeapFacts {
    static String value(FieldValue field) {
        if (!(field instanceof ObjectFieldValue))
            return field.getValue();
        Instance to = ((ObjectFieldValue) field).getInstance();
        if (to == null)
            return "null";
        Object id = to.getValueOfField("id");
        boolean plain = id != null && !(id instanceof Instance);
        return to.getJavaClass().getName() + (plain ? "#" + id : "");
    }

    static String fields(Instance instance) {
        List<String> fields = new ArrayList<>();
        for (FieldValue field : (List<FieldValue>) instance.getFieldValues())
            fields.add(field.getField().getName() + "=" + value(field));
        Collections.sort(fields);
        return "instance " + instance.getJavaClass().getName() + " " + fields;
    }

    static void addEachNth(JavaClass type, int step, List<String> lines) {
        int number = 0;
        for (Object each : type.getInstances()) {
            if (number++ % step == 0)
                lines.add(fields((Instance) each) + " path" + path((Instance) each));
        }
    }

    /** Whatever order the instances have in the dump. */
    static void addByFields(JavaClass type, int step, List<String> lines) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        TreeMap<String, Instance> last = new TreeMap<>();
        long sum = 0;
        for (Object each : type.getInstances()) {
            String fields = fields((Instance) each);
            if (fields.contains("$$") || fields.contains("0x"))
                continue; // hidden classes have names with the JVM's addresses
            sum += fields.hashCode() * 0x9e3779b97f4a7c15L;
            if (Math.floorMod(fields.hashCode(), step) != 0)
                continue;
            counts.merge(fields, 1, Integer::sum);
            last.put(fields, (Instance) each);
        }
        lines.add("static " + type.getName() + " fields of all instances: " + sum);
        counts.forEach((fields, count) -> lines.add(fields + (count == 1
                ? " path" + path(last.get(fields)) : " times " + count)));
    }

    static String path(Instance from) {
        StringBuilder text = new StringBuilder();
        Instance at = from;
        for (int i = 0; i < 20 && at != null; i++) {
            text.append(' ').append(at.getJavaClass().getName());
            if (at.isGCRoot())
                break;
            Instance to = at.getNearestGCRootPointer();
            if (to == at)
                break;
            at = to;
        }
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (JavaClass type : (Collection<JavaClass>) heap.getAllClasses())
            counts.merge(type.getName(), type.getInstancesCount(), Integer::sum);
        System.out.println("classes " + heap.getAllClasses().size());
        counts.forEach((name, count) -> System.out.println("class " + name + " " + count));
        TreeMap<String, Integer> roots = new TreeMap<>();
        for (GCRoot root : (Collection<GCRoot>) heap.getGCRoots()) {
            Instance of = root.getInstance();
            String type = of == null ? "null" : of.getJavaClass().getName();
            roots.merge(root.getKind() + " " + type, 1, Integer::sum);
        }
        roots.forEach((root, count) -> System.out.println("root " + root + " " + count));
        for (int i = 1; i < args.length; i++) {
            List<String> lines = new ArrayList<>();
            boolean byFields = args[i].indexOf('%') >= 0;
            String[] name = args[i].split("[@%]");
            int step = name.length > 1 ? Integer.parseInt(name[1]) : 1;
            for (JavaClass type : (Collection<JavaClass>) heap.getJavaClassesByRegExp(name[0])) {
                if (byFields)
                    addByFields(type, step, lines);
                else
                    addEachNth(type, step, lines);
                for (FieldValue field : (List<FieldValue>) type.getStaticFieldValues())
                    lines.add("static " + type.getName() + " " + field.getField().getName() + "="
                              + value(field));
            }
            Collections.sort(lines);
            lines.forEach(System.out::println);
        }
    }
}
