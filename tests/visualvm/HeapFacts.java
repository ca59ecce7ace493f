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
 * named behind the file all instances with their fields and paths to the nearest root; of
 * those named REGEX@N each N-th.
 */
public class HeapFacts {
    static String value(Heap heap, FieldValue field) {
        if (!(field instanceof ObjectFieldValue))
            return field.getValue();
        Instance to = ((ObjectFieldValue) field).getInstance();
        if (to == null)
            return "null";
        Object id = to.getValueOfField("id");
        return to.getJavaClass().getName() + (id == null ? "" : "#" + id);
    }

    static String path(Heap heap, Instance from) {
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
            String[] name = args[i].split("@");
            int step = name.length > 1 ? Integer.parseInt(name[1]) : 1;
            for (JavaClass type : (Collection<JavaClass>) heap.getJavaClassesByRegExp(name[0])) {
                int number = 0;
                for (Object each : type.getInstances()) {
                    if (number++ % step != 0)
                        continue;
                    Instance instance = (Instance) each;
                    List<String> fields = new ArrayList<>();
                    for (FieldValue field : (List<FieldValue>) instance.getFieldValues())
                        fields.add(field.getField().getName() + "=" + value(heap, field));
                    Collections.sort(fields);
                    lines.add("instance " + type.getName() + " " + fields + " path"
                              + path(heap, instance));
                }
                for (FieldValue field : (List<FieldValue>) type.getStaticFieldValues())
                    lines.add("static " + type.getName() + " " + field.getField().getName() + "="
                              + value(heap, field));
            }
            Collections.sort(lines);
            lines.forEach(System.out::println);
        }
    }
}
