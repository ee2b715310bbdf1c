package org.jvrpc.fabric.search;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.jvrpc.testing.PlantedBug;

/**
 * Bugs that are planted in the RC service, one at a time, are found by the search and shrunk to a small test, which
 * fails with the bug and passes without.
 */
class PlantedBugsTest {

    private static final long MOST_SEEDS = 20_000;
    private static final int MOST_STEPS = 30;
    private static final int MOST_FOUND = 5;
    private static final Path SOURCES =
            Path.of(System.getProperty("jvrpc.root"), "rpc-transport/roce/src/main/java/org/jvrpc/roce");
    private static final String IMPORTS = """
            package org.jvrpc.fabric.search;

            import static org.junit.jupiter.api.Assertions.assertNull;

            import java.util.List;
            import org.junit.jupiter.api.Test;
            import org.jvrpc.fabric.network.LinkFaults.Fate;
            import org.jvrpc.fabric.search.Trial.Fault;
            import org.jvrpc.fabric.search.Trial.Setup;

            """;

    @TestFactory
    Stream<DynamicTest> aPlantedBugIsFoundAndShrunkToATestThatPassesWithoutIt() throws IOException {
        try (InputStream file = PlantedBugsTest.class.getResourceAsStream("/search/planted-bugs.txt")) {
            return PlantedBug.read(file).stream().map(bug -> DynamicTest.dynamicTest(bug.name(), () -> find(bug)));
        }
    }

    private static void find(PlantedBug bug) throws Exception {
        try (PlantedBug.Classes wrong = bug.plant(SOURCES); PlantedBug.Classes right = PlantedBug.none()) {
            Class<?> type = wrong.loader().loadClass(FaultSearch.class.getName());
            Object search = type.getConstructor(int.class, boolean.class).newInstance(7, true);
            Object found = small(type, search);
            int steps = steps(found);
            String test = (String) found.getClass().getMethod("asTest").invoke(found);
            System.out.println(bug.name() + ": steps=" + steps + "\n" + test);
            assertTrue(steps <= MOST_STEPS, test);
            String source = IMPORTS + "public class FoundTest {\n" + test.replace(" void ", " public void ") + "}\n";
            wrong.compile("FoundTest", source);
            right.compile("FoundTest", source);
            Throwable cause = assertThrows(InvocationTargetException.class, () -> run(wrong), test).getCause();
            assertTrue(cause instanceof AssertionError, () -> "cause=" + cause);
            run(right);
        }
    }

    /** Of the first seeds that fail returns the first that is small: not each can be made so. */
    private static Object small(Class<?> type, Object search) throws ReflectiveOperationException {
        Object found = null;
        long first = 1;
        for (int i = 0; i < MOST_FOUND && (found == null || steps(found) > MOST_STEPS); i++) {
            found = type.getMethod("search", long.class, long.class).invoke(search, first, MOST_SEEDS - first);
            assertNotNull(found, "not found by so many seeds: " + MOST_SEEDS);
            Object setup = found.getClass().getMethod("setup").invoke(found);
            first = (long) setup.getClass().getMethod("seed").invoke(setup) + 1;
        }
        return found;
    }

    private static int steps(Object found) throws ReflectiveOperationException {
        return (int) found.getClass().getMethod("steps").invoke(found);
    }

    private static void run(PlantedBug.Classes classes) throws ReflectiveOperationException {
        Class<?> type = classes.loader().loadClass("org.jvrpc.fabric.search.FoundTest");
        for (Method method : type.getDeclaredMethods()) {
            method.invoke(type.getConstructor().newInstance());
        }
    }
}
