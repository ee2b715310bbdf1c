package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.codegen.Compilation.Source;

/**
 * Whole generated files, compared byte for byte with those under {@code src/test/resources/golden/<case>/expected}.
 * {@code -Dgolden.regenerate=true} rewrites them and fails; read the difference, then run without it.
 */
class GoldenTest {

    private static final Path ROOT = Path.of("src", "test", "resources", "golden");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+);$");

    static List<String> cases() throws IOException {
        try (Stream<Path> directories = Files.list(ROOT)) {
            return directories.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private static List<Source> input(String name) throws IOException {
        return Source.readAll(ROOT.resolve(name).resolve("input"));
    }

    private static Compilation process(List<Source> sources) {
        Compilation compilation = Compilation.process(sources, "-Xlint:all", "-Werror");
        assertEquals(List.of(), compilation.messages());
        assertFalse(compilation.generated().isEmpty());
        return compilation;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void generatedFilesEqualTheGoldenOnes(String name) throws IOException {
        Path expected = ROOT.resolve(name).resolve("expected");
        SortedMap<String, String> actual = process(input(name)).generated();
        if (Boolean.getBoolean("golden.regenerate")) {
            rewrite(expected, actual);
            fail("golden files of " + name + " were rewritten; run again without -Dgolden.regenerate");
        }
        SortedMap<String, String> golden = new TreeMap<>();
        Source.readAll(expected).forEach(source -> golden.put(source.name(), source.text()));
        String advice = "to accept the change: mvn test -pl rpc-codegen -Dtest=GoldenTest -Dgolden.regenerate=true";
        assertEquals(golden.keySet(), actual.keySet(), advice);
        golden.forEach((file, text) -> assertEquals(text, actual.get(file), file + ": " + advice));
    }

    private static void rewrite(Path expected, SortedMap<String, String> actual) throws IOException {
        if (Files.exists(expected)) {
            for (Source old : Source.readAll(expected)) {
                Files.delete(expected.resolve(old.name()));
            }
        }
        for (Map.Entry<String, String> entry : actual.entrySet()) {
            Path file = expected.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, entry.getValue());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void goldenFilesCompileWithoutWarning(String name) throws IOException {
        List<Source> sources = new ArrayList<>(input(name));
        sources.addAll(Source.readAll(ROOT.resolve(name).resolve("expected")));
        assertEquals(List.of(), Compilation.compile(sources, "-Xlint:all", "-Werror").messages());
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Tag("slow")
    void outputDependsNeitherOnTheRunNorOnTheOrderOfFiles(String name) throws IOException {
        long seed = System.nanoTime();
        List<Source> sources = input(name);
        SortedMap<String, String> once = process(sources).generated();
        assertEquals(once, process(sources).generated());
        Collections.shuffle(sources, new Random(seed));
        assertEquals(once, process(sources).generated(), "order of files was shuffled with seed=" + seed);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void generatedCodeImportsOnlyTheJdkAndTheApi(String name) throws IOException {
        for (Source source : Source.readAll(ROOT.resolve(name).resolve("expected"))) {
            Matcher imports = IMPORT.matcher(source.text());
            while (imports.find()) {
                String imported = imports.group(1);
                assertTrue(imported.startsWith("java.") || imported.startsWith("org.jvrpc.api.")
                        || imported.equals("javax.annotation.processing.Generated"), source.name() + ": " + imported);
            }
        }
    }
}
