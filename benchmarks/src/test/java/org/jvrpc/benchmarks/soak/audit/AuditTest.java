package org.jvrpc.benchmarks.soak.audit;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules by which calls are judged. */
class AuditTest {

    @ParameterizedTest
    @CsvSource({
        "OK, LIGHT, 1, 0, false", "OK, ONE_WAY, 0, 0, false", "UNAVAILABLE, LIGHT, 1, 1, false",
        "UNAVAILABLE, LIGHT, 0, 0, false", "UNAVAILABLE, BACK, 1, 0, false", "STARTED, LIGHT, 1, 1, true",
        "UNKNOWN, THROW, 1, 0, false", "REFUSED, REFUSE, 1, 0, false", "DEADLINE_EXCEEDED, HANG, 1, 0, false",
    })
    void whatMayBeIsNoViolation(CallEnd end, CallKind kind, int runs, int server, boolean killed) {
        assertNull(Audit.judge(end, kind, runs, server, killed));
    }

    @ParameterizedTest
    @CsvSource({
        "OK, LIGHT, 0, 0, false", "OK, LIGHT, 2, 0, false", "OK, THROW, 1, 0, false", "OK, ONE_WAY, 2, 0, false",
        "UNAVAILABLE, LIGHT, 1, 0, false", "UNAVAILABLE, LIGHT, 2, 1, false", "STARTED, LIGHT, 1, 1, false",
        "STARTED, LIGHT, 2, 1, true", "UNKNOWN, LIGHT, 1, 0, false", "REFUSED, REFUSE, 0, 0, false",
    })
    void whatMayNotBeIsOne(CallEnd end, CallKind kind, int runs, int server, boolean killed) {
        assertNotNull(Audit.judge(end, kind, runs, server, killed));
    }
}
