package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Whatever a user does wrong, the process lives on; in a JVM of its own, so that a crash would be seen. */
@NeedsRdmaDevice
final class MisuseTest {

    private static final int SECONDS = 120;

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void misuseIsRefusedOrHarmlessAndNeverEndsOrHangsTheProcess(String driver) {
        try (FaultJvm child = FaultJvm.start("misuse", driver)) {
            assertEquals("wrong=0", child.expect("ALL", SECONDS), child::toString);
            child.expectEnd(SECONDS);
        }
    }
}
