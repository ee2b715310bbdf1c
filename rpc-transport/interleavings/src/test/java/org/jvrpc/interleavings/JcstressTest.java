package org.jvrpc.interleavings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * The tests of this module whose names end in {@code Stress}, by jcstress. {@code .ci/jcstress} gives them more time.
 * What needs a processor that reorders more than x86 does is seen on such a one only.
 */
final class JcstressTest {

    private static final Jcstress.Mode MODE =
            Jcstress.Mode.valueOf(System.getProperty("jvrpc.jcstress.mode", "verify").toUpperCase(Locale.ROOT));
    private static final String TESTS = System.getProperty("jvrpc.jcstress.tests", "org.jvrpc");
    private static final int VERIFY_MINUTES = 5;
    private static final int MINUTES = 20;

    private static Set<String> sources() throws IOException {
        Path root = Path.of(System.getProperty("basedir"), "src/test/java");
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString()).filter(name -> name.endsWith("Stress.java"))
                    .map(name -> name.replace(".java", "").replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void theProcessorHasSeenEachTest() throws IOException {
        assertEquals(sources(), new TreeSet<>(TestList.tests()));
    }

    @Test
    @Timeout(value = MINUTES + 5, unit = TimeUnit.MINUTES)
    void noOutcomeIsForbidden() throws IOException {
        long chosen = sources().stream().filter(Pattern.compile(TESTS).asPredicate()).count();
        assertTrue(chosen > 0, "no test has in its name: " + TESTS);
        Jcstress run = Jcstress.run(MODE, TESTS,
                Duration.ofMinutes(MODE == Jcstress.Mode.VERIFY ? VERIFY_MINUTES : MINUTES));
        System.out.println("JcstressTest: " + run);
        assertTrue(run.passed((int) chosen), run::toString);
    }
}
