package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jvrpc.api.stub.ClientCall;

/**
 * Loads races with a {@link SlotState} of the same source, in which each access to shared memory is a step of
 * {@link Interleavings}.
 */
final class SteppedSlot extends ClassLoader {

    private static final String NAME = SlotState.class.getName();
    private static final String STEP = Interleavings.class.getName() + ".step";

    private final Path classes;
    private final String races;

    /** @param races class whose nested classes are to meet the stepped slot @param folder for classes */
    SteppedSlot(Class<?> races, Path folder) throws IOException {
        super(races.getClassLoader());
        this.races = races.getName() + "$";
        this.classes = folder;
        compile(stepped(Files.readString(Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java", NAME.replace('.', '/') + ".java"))));
    }

    private static String stepped(String source) {
        String stepped = source;
        for (String[] change : new String[][] {
            {"\\bWORD\\.", STEP + "(WORD)."},
            {"\\bwith\\(word\\b", "with(" + STEP + "(this).word"},
            {"(?<!long )\\bleaving\\b", STEP + "(this).leaving"}}) {
            String before = stepped;
            stepped = stepped.replaceAll(change[0], change[1]);
            assertNotEquals(before, stepped, change[0]);
        }
        return stepped;
    }

    private void compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("mem:/SlotState.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        String path = Path.of(location(ClientCall.class)) + ":" + Path.of(location(Interleavings.class));
        assertEquals(true, compiler.getTask(null, null, null,
                List.of("-proc:none", "-d", classes.toString(), "-cp", path), null, List.of(file)).call(), source);
    }

    private static URI location(Class<?> type) {
        try {
            return type.getProtectionDomain().getCodeSource().getLocation().toURI();
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a maker of races of a nested class. */
    Supplier<Interleavings.Race> of(Class<? extends Interleavings.Race> race) throws ReflectiveOperationException {
        var constructor = loadClass(race.getName()).getDeclaredConstructor();
        constructor.setAccessible(true); // it is of another loader, thus of another package
        return () -> {
            try {
                return (Interleavings.Race) constructor.newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.equals(NAME) && !name.equals(BareSlot.class.getName()) && !name.startsWith(races)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = name.equals(NAME)
                ? Files.newInputStream(classes.resolve(file)) : getParent().getResourceAsStream(file)) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
