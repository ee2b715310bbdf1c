package org.jvrpc.codegen.parse;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** Types that no marshalling can carry to another process, with what to use instead. */
final class Unsupported {

    private static final Map<String, String> HINTS = new LinkedHashMap<>();

    static {
        HINTS.put("java.util.concurrent.CompletionStage", "only a method's result may be a CompletableFuture");
        HINTS.put("java.util.concurrent.Future", "only a method's result may be a CompletableFuture");
        HINTS.put("java.util.stream.BaseStream", "collect it into a List");
        HINTS.put("java.util.Iterator", "collect it into a List");
        HINTS.put("java.util.Enumeration", "collect it into a List");
        HINTS.put("java.nio.Buffer", "use java.nio.ByteBuffer or an array");
        HINTS.put("java.lang.Thread", "it belongs to its process");
        HINTS.put("java.lang.ThreadLocal", "it belongs to its process");
        HINTS.put("java.lang.ClassLoader", "it belongs to its process");
        HINTS.put("java.lang.Process", "it belongs to its process");
        HINTS.put("java.lang.Module", "it belongs to its process");
        HINTS.put("java.lang.Class", "use its name");
        HINTS.put("java.lang.reflect.AnnotatedElement", "use its name");
        HINTS.put("java.lang.ref.Reference", "use what it refers to");
        HINTS.put("java.util.concurrent.Executor", "it belongs to its process");
        HINTS.put("java.util.concurrent.locks.Lock", "it belongs to its process");
        HINTS.put("java.io.File", "use its path");
        HINTS.put("java.nio.file.Path", "use its text");
        HINTS.put("java.lang.AutoCloseable", "it is a resource of its process; use its content");
        HINTS.put("java.lang.Throwable", "declare it in the throws clause, or use its message");
        HINTS.put("java.lang.Void", "use void");
    }

    private Unsupported() {
    }

    /** Returns what to use instead of a type, or null when it may travel. */
    static String hint(Scope scope, DeclaredType type) {
        TypeElement element = Scope.element(type);
        if (scope.isA(type, "java.util.concurrent.Flow.Publisher")) {
            return "only a parameter or a method's result may be a Flow.Publisher, by that name";
        }
        if (Annotations.has(element, FunctionalInterface.class)) {
            return "code does not travel; use data";
        }
        for (Map.Entry<String, String> entry : HINTS.entrySet()) {
            if (scope.isA(type, entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }
}
