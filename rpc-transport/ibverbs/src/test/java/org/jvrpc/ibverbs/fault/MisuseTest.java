package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.testing.ChildJvm;

/** Whatever a user does wrong, the process lives on; in a JVM of its own, so that a crash would be seen. */
@NeedsRdmaDevice
final class MisuseTest {

    private static final Duration LIMIT = Duration.ofSeconds(120);

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void misuseIsRefusedOrHarmlessAndNeverEndsOrHangsTheProcess(String driver) {
        try (ChildJvm child = FaultMain.start("misuse", driver)) {
            assertEquals("wrong=0", child.expect("ALL", LIMIT), child::toString);
            child.expectEnd();
        }
    }
}
