package org.jvrpc.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.testing.PlantedBug;

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

    @BeforeAll
    static void needs() {
        assumeTrue(World.isPossible(), "simulations need a JDK 21 or later, whose threads a test can schedule");
    }

    @TestFactory
    List<DynamicTest> aPlantedBugIsFound() throws IOException {
        String wanted = System.getProperty("jvrpc.sim.planted", "");
        List<DynamicTest> tests = new ArrayList<>();
        Map<String, Integer> counts = new TreeMap<>();
        for (PlantedBug bug : bugs()) {
            boolean first = counts.merge(bug.search(), 1, Integer::sum) <= EACH_BUILD;
            String name = bug.search() + ": " + bug.name();
            if (wanted.equals("all") || (wanted.isEmpty() ? first : name.contains(wanted))) {
                tests.add(dynamicTest(name, () -> find(bug)));
            }
        }
        return tests;
    }

    private static List<PlantedBug> bugs() throws IOException {
        try (InputStream file = PlantedBugsTest.class.getResourceAsStream("/sim/planted-bugs.txt")) {
            return PlantedBug.read(file);
        }
    }

    private static void find(PlantedBug bug) throws Exception {
        long startNs = System.nanoTime();
        try (PlantedBug.Classes classes = bug.plant(SOURCES)) {
            String found = (String) classes.loader().loadClass(Seeds.class.getName())
                    .getMethod("find", String.class, long.class, long.class, int.class)
                    .invoke(null, bug.search(), 1L, MOST_SEEDS, MOST_STEPS);
            System.out.println(bug.search() + ": " + bug.name() + ": " + found + " ms="
                    + (System.nanoTime() - startNs) / 1_000_000);
            assertNotNull(found, "not found by so many seeds: " + MOST_SEEDS);
            int steps = Integer.parseInt(found.replaceFirst(".*? steps=([0-9]+) .*", "$1"));
            assertTrue(steps <= MOST_STEPS, found);
        }
    }
}
