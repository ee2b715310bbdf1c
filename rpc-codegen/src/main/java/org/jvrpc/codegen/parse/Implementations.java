package org.jvrpc.codegen.parse;

import java.util.List;
import java.util.Map;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;

/** The classes that stand for the JDK's collection interfaces inside object graphs. */
final class Implementations {

    private static final Map<String, List<String>> TABLE = Map.ofEntries(
            Map.entry("java.util.Collection", List.of("java.util.ArrayList")),
            Map.entry("java.util.List", List.of("java.util.ArrayList")),
            Map.entry("java.util.Set", List.of("java.util.HashSet", "java.util.LinkedHashSet")),
            Map.entry("java.util.SortedSet", List.of("java.util.TreeSet")),
            Map.entry("java.util.NavigableSet", List.of("java.util.TreeSet")),
            Map.entry("java.util.Map", List.of("java.util.HashMap", "java.util.LinkedHashMap")),
            Map.entry("java.util.SortedMap", List.of("java.util.TreeMap")),
            Map.entry("java.util.NavigableMap", List.of("java.util.TreeMap")),
            Map.entry("java.util.Queue", List.of("java.util.ArrayDeque")),
            Map.entry("java.util.Deque", List.of("java.util.ArrayDeque")));

    private Implementations() {
    }

    /** Returns the implementations of an interface, empty for one that is not in the table. */
    static List<TypeMirror> of(Scope scope, TypeElement type) {
        return TABLE.getOrDefault(type.getQualifiedName().toString(), List.of()).stream()
                .map(name -> scope.types().erasure(scope.elements().getTypeElement(name).asType()))
                .toList();
    }
}
