package org.jvrpc.runtime.contract.change;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jvrpc.api.RpcService;
import org.jvrpc.codegen.RpcServiceProcessor;

/** One version of the package {@code shop}: sources, compiled with the processor in memory. Any thread. */
final class Version extends ClassLoader {

    private final Map<String, byte[]> classes;

    private Version(Map<String, byte[]> classes) {
        super(Version.class.getClassLoader());
        this.classes = classes;
    }

    /** Compiles sources, by the name of their class. */
    static Version of(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(problems, Locale.ROOT, null)) {
            Path api = Path.of(RpcService.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            standard.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(api));
            Memory memory = new Memory(standard);
            List<JavaFileObject> units = new ArrayList<>();
            sources.forEach((name, text) -> units.add(new Source(name, text)));
            JavaCompiler.CompilationTask task = compiler.getTask(null, memory, problems, List.of(), null, units);
            task.setProcessors(List.of(new RpcServiceProcessor()));
            if (!task.call()) {
                throw new AssertionError(problems.getDiagnostics().toString());
            }
            return new Version(memory.classes());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** Returns a class of the package by its simple name, nested ones as {@code Shop$Order}. */
    @SuppressWarnings("unchecked") // the test takes the class for what it asked for
    <T> Class<T> type(String name) {
        try {
            return (Class<T>) loadClass("shop." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes an object by the constructor with the most parameters: arguments left out are 0 or null. */
    Object make(String name, Object... arguments) {
        try {
            var constructor = Stream.of(type(name).getConstructors())
                    .max((one, other) -> one.getParameterCount() - other.getParameterCount()).orElseThrow();
            Object[] all = Arrays.copyOf(arguments, constructor.getParameterCount());
            for (int i = arguments.length; i < all.length; i++) {
                all[i] = constructor.getParameterTypes()[i] == int.class ? 0 : null;
            }
            return constructor.newInstance(all);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a constant of an enum. */
    Object constant(String type, String name) {
        return Stream.of(type(type).getEnumConstants()).filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst().orElseThrow();
    }

    /** Calls the method of a name, and throws what it throws. */
    static Object call(Object stub, String name, Object... arguments) throws Exception {
        for (Method method : stub.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                method.setAccessible(true);
                try {
                    return method.invoke(stub, arguments);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw (Exception) e.getCause();
                }
            }
        }
        throw new AssertionError("no method " + name);
    }

    private static final class Source extends SimpleJavaFileObject {

        private final String text;

        Source(String name, String text) {
            super(URI.create("memory:///shop/" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends SimpleJavaFileObject {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Output(String path, Kind kind) {
            super(URI.create("memory:///" + path), kind);
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

        private final Map<String, Output> outputs = new TreeMap<>();

        Memory(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            Output output = new Output(className.replace('.', File.separatorChar) + kind.extension, kind);
            if (kind == JavaFileObject.Kind.CLASS) {
                outputs.put(className, output);
            }
            return output;
        }

        @Override
        public FileObject getFileForOutput(
                Location location, String packageName, String relativeName, FileObject sibling) {
            return new Output(relativeName, JavaFileObject.Kind.OTHER);
        }

        Map<String, byte[]> classes() throws IOException {
            Map<String, byte[]> all = new TreeMap<>();
            outputs.forEach((name, output) -> all.put(name, output.bytes.toByteArray()));
            return all;
        }
    }
}
