package org.jvrpc.testing.interleaving;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Loads races together with classes of their own source in which each access to shared memory is a step of
 * {@link Interleavings}. All classes of the package of the races are loaded anew, so that they meet those.
 */
public final class SteppedClasses extends ClassLoader {

    /** Stands for a step in the changes of a source: the next access is one. */
    private static final String STEP = Interleavings.class.getName() + ".step";
    private static final String AWAIT = Interleavings.class.getName() + ".await";

    private final Path folder;
    private final Path sources;
    private final String room;

    /**
     * @param races a class of the package
     * @param sources folder of its module's sources
     * @param folder for sources and classes that are changed
     */
    public SteppedClasses(Class<?> races, Path sources, Path folder) {
        super(races.getClassLoader());
        this.room = races.getPackageName() + ".";
        this.sources = sources;
        this.folder = folder;
    }

    /**
     * Puts steps into a class of the package, before it is loaded.
     *
     * @param changes regular expressions, each followed by what stands for it then: STEP(x) for x whose use is a step,
     *     AWAIT(() -> x) where a loop waits
     * @throws AssertionError when the source has no place for a change
     */
    public SteppedClasses with(String simpleName, String... changes) throws IOException {
        String file = (room + simpleName).replace('.', '/') + ".java";
        String source = Files.readString(sources.resolve(file));
        for (int i = 0; i < changes.length; i += 2) {
            String before = source;
            source = source.replaceAll(changes[i], changes[i + 1].replace("STEP", STEP).replace("AWAIT", AWAIT));
            if (source.equals(before)) {
                throw new AssertionError(file + " has no " + changes[i]);
            }
        }
        Path changed = folder.resolve(file);
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, source);
        compile(changed);
        return this;
    }

    private void compile(Path source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(source)).call()) {
                throw new AssertionError("does not compile: " + source);
            }
        }
    }

    /** Goes through every order of a race of the package, which has a constructor without parameters. */
    public int all(Class<? extends Interleavings.Race> race) throws ReflectiveOperationException, InterruptedException {
        return Interleavings.all(of(race));
    }

    /** As {@link Interleavings#all(Supplier, int)}. */
    public int all(Class<? extends Interleavings.Race> race, int preemptions)
            throws ReflectiveOperationException, InterruptedException {
        return Interleavings.all(of(race), preemptions);
    }

    private Supplier<Interleavings.Race> of(Class<? extends Interleavings.Race> race)
            throws ReflectiveOperationException {
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
        if (!name.startsWith(room) || name.indexOf('.', room.length()) >= 0) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        Path changed = folder.resolve(file);
        try (InputStream in = Files.exists(changed)
                ? Files.newInputStream(changed) : getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
