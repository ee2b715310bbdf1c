package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TurnTest {

    @TempDir
    private Path root;

    private ChildJvm child(String how) {
        return Role.of("turn", how).option("-Djvrpc.root=" + root).start();
    }

    /** Waits until the kernel has it wait for a lock. */
    private static void awaitsItsTurn(ChildJvm child) {
        Waits.until("the child to wait for its turn", () -> {
            try {
                return Files.readAllLines(Path.of("/proc/locks")).stream()
                        .anyMatch(lock -> lock.contains("->") && lock.contains(" " + child.pid() + " "));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, child::toString);
        assertEquals(List.of(), child.output());
    }

    @Test
    void oneThatIsAloneWaitsForTheOthersAndThoseBehindItForIts() {
        try (ChildJvm first = child("beside"); ChildJvm second = child("beside")) {
            first.expect("TURN");
            second.expect("TURN");
            try (ChildJvm alone = child("alone")) {
                awaitsItsTurn(alone);
                try (ChildJvm late = child("beside")) {
                    awaitsItsTurn(late);
                    first.kill();
                    awaitsItsTurn(alone);
                    second.kill();
                    alone.expect("TURN");
                    awaitsItsTurn(late);
                    alone.kill();
                    late.expect("TURN");
                }
            }
        }
    }
}
