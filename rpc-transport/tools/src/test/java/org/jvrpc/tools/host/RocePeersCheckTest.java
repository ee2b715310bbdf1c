package org.jvrpc.tools.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.VerbsException;

final class RocePeersCheckTest {

    @Test
    void theNativeCallsOfTheToolsClassPathWork() {
        List<Finding> found = RocePeersCheck.check();
        assertEquals(Mark.OK, found.get(0).mark(), found::toString);
    }

    @Test
    void nativeCallsThatAreMissingAreNamed() {
        Finding found = RocePeersCheck.check(List.of()).get(0);
        assertEquals(Mark.NOTE, found.mark());
        assertTrue(found.text().contains("jvrpc-ibverbs is not on the class path"), found::toString);
    }

    @Test
    void nativeCallsThatAreRefusedAreNamedWithTheReason() {
        Finding found = RocePeersCheck.check(List.of((bound, level, option, value) -> {
            throw new VerbsException("load", "refused here");
        })).get(0);
        assertEquals(Mark.NOTE, found.mark());
        assertTrue(found.text().contains("refused here"), found::toString);
    }
}
