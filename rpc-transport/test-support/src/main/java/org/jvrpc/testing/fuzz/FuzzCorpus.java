package org.jvrpc.testing.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * The fuzz targets of a module, as tests: each over its kept corpus, then over inputs that a seed makes of it. The seed
 * is {@code -Djvrpc.seed}, the number of inputs {@code -Djvrpc.fuzz.inputs}.
 */
public final class FuzzCorpus {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final int INPUTS = Integer.getInteger("jvrpc.fuzz.inputs", 4000);
    /** What a corpus may hold, so that it stays one to read. */
    private static final int MAX_FILES = 30;
    private static final int MAX_BYTES = 64 << 10;
    private static final String SUFFIX = "Fuzz.class";

    private FuzzCorpus() {
    }

    /**
     * Returns a test for each target that lies in the class folder of the asking test, and one that
     * {@code .ci/fuzz-targets} has just these for the module.
     *
     * @param module its folder, as the list has it
     */
    public static Stream<DynamicTest> tests(Class<?> asking, String module) {
        Path classes = classes(asking);
        List<Class<?>> targets = targets(asking.getClassLoader(), classes);
        DynamicTest listed = DynamicTest.dynamicTest("listed", () -> assertEquals(listed(module),
                targets.stream().map(Class::getName).toList(), ".ci/fuzz-targets, in the order of names"));
        return Stream.concat(Stream.of(listed), targets.stream().map(target -> DynamicTest.dynamicTest(
                target.getSimpleName(), () -> {
                    callIfThere(target, "fuzzerInitialize");
                    try {
                        run(target, classes);
                    } finally {
                        callIfThere(target, "fuzzerTearDown");
                    }
                })));
    }

    private static Path classes(Class<?> asking) {
        try {
            return Path.of(asking.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> targets(ClassLoader loader, Path classes) {
        try (Stream<Path> files = Files.walk(classes)) {
            List<Class<?>> targets = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList()) {
                String name = classes.relativize(file).toString().replace('/', '.');
                targets.add(Class.forName(name.substring(0, name.length() - ".class".length()), true, loader));
            }
            return targets;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the classes that the list has for a module; a line of it is {@code MODULE CLASS}. */
    private static List<String> listed(String module) throws IOException {
        Path list = Path.of(System.getProperty("jvrpc.root"), ".ci", "fuzz-targets");
        try (Stream<String> lines = Files.lines(list)) {
            return lines.map(line -> line.split(" ")).filter(words -> words[0].equals(module))
                    .map(words -> words[1]).toList();
        }
    }

    private static void run(Class<?> target, Path classes) throws IOException, ReflectiveOperationException {
        Method method = target.getDeclaredMethod("fuzzerTestOneInput", byte[].class);
        method.setAccessible(true);
        List<byte[]> corpus = corpus(classes.resolve("fuzz").resolve(target.getSimpleName()), method);
        System.out.println(target.getSimpleName() + ": corpus=" + corpus.size() + " -Djvrpc.fuzz.inputs=" + INPUTS
                + " -Djvrpc.seed=" + SEED);
        Mutator mutator = new Mutator(SEED, corpus);
        for (int i = 0; i < INPUTS; i++) {
            give(method, mutator.next(), "input " + i + " of -Djvrpc.seed=" + SEED);
        }
    }

    /** Calls what Jazzer calls, too, where a target has it. */
    private static void callIfThere(Class<?> target, String name) throws ReflectiveOperationException {
        for (Method method : target.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                method.invoke(null);
            }
        }
    }

    /** Reads the kept inputs, and gives each to the target. */
    private static List<byte[]> corpus(Path folder, Method method) throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        int bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                byte[] input = Files.readAllBytes(file);
                bytes += input.length;
                corpus.add(input);
                give(method, input.clone(), file.getFileName().toString());
            }
        }
        if (corpus.isEmpty() || corpus.size() > MAX_FILES || bytes > MAX_BYTES) {
            throw new AssertionError("corpus is not what is to be kept: files=" + corpus.size() + " bytes=" + bytes);
        }
        return corpus;
    }

    private static void give(Method method, byte[] input, String name) {
        byte[] kept = input.clone(); // a target may change it
        try {
            method.invoke(null, (Object) input);
        } catch (InvocationTargetException e) {
            FuzzCheck.forget(); // it is told here
            throw new AssertionError(method.getDeclaringClass().getSimpleName() + ", " + name + ", in hex "
                    + HexFormat.of().formatHex(kept) + ": " + e.getCause(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
