package org.jvrpc.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.jvrpc.runtime.sim.world.World;

/**
 * Bugs that are planted in the runtime, one at a time, are found by a simulation and shrunk to few steps. One of each
 * simulation in every build; {@code -Djvrpc.sim.planted=all} has all of them looked for, or those with such a word.
 */
class PlantedBugsTest {

    private static final int EACH_BUILD = 1;
    private static final long MOST_SEEDS = Long.getLong("jvrpc.sim.seeds", 100_000);
    private static final int MOST_STEPS = 20;
    private static final Path SOURCES =
            Path.of(System.getProperty("jvrpc.root"), "rpc-transport/runtime/src/main/java/org/jvrpc/runtime");

    /** @param file of the runtime in which {@code is} stands once */
    private record Bug(String name, String simulation, String file, String is, String becomes) {
    }

    @BeforeAll
    static void needs() {
        assumeTrue(World.isPossible(), "simulations need a JDK 21 or later, whose threads a test can schedule");
    }

    @TestFactory
    List<DynamicTest> aPlantedBugIsFound() throws IOException {
        String wanted = System.getProperty("jvrpc.sim.planted", "");
        List<DynamicTest> tests = new ArrayList<>();
        Map<String, Integer> counts = new TreeMap<>();
        for (Bug bug : bugs()) {
            boolean first = counts.merge(bug.simulation, 1, Integer::sum) <= EACH_BUILD;
            String name = bug.simulation + ": " + bug.name;
            if (wanted.equals("all") || (wanted.isEmpty() ? first : name.contains(wanted))) {
                tests.add(dynamicTest(name, () -> find(bug)));
            }
        }
        return tests;
    }

    private static List<Bug> bugs() throws IOException {
        try (InputStream file = PlantedBugsTest.class.getResourceAsStream("/sim/planted-bugs.txt")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("(?m)^== ")).skip(1).map(PlantedBugsTest::bug).toList();
        }
    }

    private static Bug bug(String text) {
        String[] parts = text.stripTrailing().split("\n---\n|\n\\+\\+\\+\n|\n(simulation|file): ");
        assertEquals(5, parts.length, text);
        return new Bug(parts[0], parts[1], parts[2], parts[3], parts[4]);
    }

    private static void find(Bug bug) throws Exception {
        Path classes = Files.createTempDirectory("planted");
        long startNs = System.nanoTime();
        try {
            compile(bug, classes);
            String found;
            try (URLClassLoader loader = new URLClassLoader(classPath(classes), ClassLoader.getPlatformClassLoader())) {
                found = (String) loader.loadClass(Seeds.class.getName())
                        .getMethod("find", String.class, long.class, long.class, int.class)
                        .invoke(null, bug.simulation, 1L, MOST_SEEDS, MOST_STEPS);
            }
            System.out.println(bug.simulation + ": " + bug.name + ": " + found + " ms="
                    + (System.nanoTime() - startNs) / 1_000_000);
            assertNotNull(found, "not found by so many seeds: " + MOST_SEEDS);
            int steps = Integer.parseInt(found.replaceFirst(".*? steps=([0-9]+) .*", "$1"));
            assertTrue(steps <= MOST_STEPS, found);
        } finally {
            try (Stream<Path> all = Files.walk(classes)) {
                all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    /** The changed file alone, whose classes come before those of the build. */
    private static void compile(Bug bug, Path classes) throws IOException {
        String source = Files.readString(SOURCES.resolve(bug.file));
        int at = source.indexOf(bug.is);
        assertTrue(at >= 0 && source.indexOf(bug.is, at + 1) < 0, "its place is not in the sources any more, once");
        Path changed = classes.resolve(Path.of(bug.file).getFileName());
        Files.writeString(changed, source.replace(bug.is, bug.becomes));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-nowarn", "-cp",
                System.getProperty("java.class.path"), "-d", classes.toString(), changed.toString()));
    }

    private static URL[] classPath(Path first) throws MalformedURLException {
        List<URL> urls = new ArrayList<>(List.of(first.toUri().toURL()));
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(each).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
