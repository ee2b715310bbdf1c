package org.jvrpc.codegen.roundtrip;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.codegen.Sources;

/** Runs the processor over services of this package and loads what it wrote. */
final class Generated {

    private static final Path PACKAGE = Path.of("src", "test", "java", "org", "jvrpc", "codegen", "roundtrip");

    private Generated() {
    }

    static <T> ServiceDescriptor<T> descriptor(Class<T> service, Class<?>... others) {
        List<Path> files = new ArrayList<>(List.of(source(service), source(Nullable.class)));
        for (Class<?> other : others) {
            files.add(source(other));
        }
        try {
            Loader loader = new Loader(Sources.process(files), service.getName());
            Class<?> descriptor = loader.loadClass(service.getName() + "Service");
            @SuppressWarnings("unchecked")
            ServiceDescriptor<T> made = (ServiceDescriptor<T>) descriptor.getConstructor().newInstance();
            return made;
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Path source(Class<?> type) {
        Path file = PACKAGE.resolve(type.getSimpleName() + ".java");
        if (!Files.exists(file)) {
            throw new AssertionError("no file " + file);
        }
        return file;
    }

    /** Has the generated classes; all else comes from the test's own class path. */
    private static final class Loader extends ClassLoader {

        private final Map<String, byte[]> classes;
        private final String prefix;

        Loader(Map<String, byte[]> classes, String service) {
            super(Generated.class.getClassLoader());
            this.classes = classes;
            this.prefix = service;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = name.startsWith(prefix) ? classes.get(name) : null;
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
