package org.jvrpc.ibverbs.binding;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Compares layouts and numbers with what a C compiler makes of the headers. */
public final class StructProbe {

    private StructProbe() {
    }

    /** A struct as Java believes it to be. */
    public record Layout(String name, String header, int bytes, List<Struct.Field> fields) {

        /** Takes one that is registered. */
        public static Layout of(Struct struct) {
            return new Layout(struct.name(), struct.header(), struct.bytes(), struct.fields());
        }
    }

    /** Initialises the layouts that are nested in these classes. */
    public static void load(Class<?>... holders) throws ClassNotFoundException {
        for (Class<?> holder : holders) {
            for (Class<?> layout : holder.getDeclaredClasses()) {
                Class.forName(layout.getName(), true, layout.getClassLoader());
            }
        }
    }

    /** Returns the headers that layouts need, each once. */
    public static Collection<String> headers(List<Layout> layouts) {
        TreeSet<String> headers = new TreeSet<>();
        layouts.forEach(layout -> headers.add(layout.header()));
        return headers;
    }

    /** Returns what differs, a line for each difference. */
    public static List<String> differences(List<Layout> layouts, Path folder) throws Exception {
        List<String> statements = new ArrayList<>();
        for (Layout layout : layouts) {
            String type = layout.name();
            statements.add("printf(\"" + type + "|||%zu\\n\", sizeof(" + type + "));");
            for (Struct.Field field : layout.fields()) {
                statements.add("printf(\"" + type + "|" + field.name() + "|%zu|%zu\\n\", offsetof(" + type + ", "
                        + field.name() + "), sizeof(((" + type + " *)0)->" + field.name() + "));");
            }
        }
        List<String> lines = CCompiler.run(headers(layouts), statements, folder);
        List<String> differences = new ArrayList<>();
        int line = 0;
        for (Layout layout : layouts) {
            compare(lines.get(line++), layout.name() + "|||" + layout.bytes(), differences);
            for (Struct.Field field : layout.fields()) {
                compare(lines.get(line++), layout.name() + "|" + field.name() + "|" + field.offset() + "|"
                        + field.bytes(), differences);
            }
        }
        return differences;
    }

    private static void compare(String compiler, String java, List<String> differences) {
        if (!compiler.equals(java)) {
            differences.add("struct|field|offset|bytes: compiler=" + compiler + " java=" + java);
        }
    }

    /** Returns what C says that constants are. */
    public static Map<String, Long> numbers(Collection<String> headers, Collection<String> names, Path folder)
            throws Exception {
        List<String> statements = new ArrayList<>();
        names.forEach(name -> statements.add("printf(\"%lld\\n\", (long long)" + name + ");"));
        List<String> lines = CCompiler.run(headers, statements, folder);
        Map<String, Long> numbers = new HashMap<>();
        int line = 0;
        for (String name : names) {
            numbers.put(name, Long.parseLong(lines.get(line++)));
        }
        return numbers;
    }
}
