package org.jvrpc.router.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.TenantId;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Lines that tenants cause as often as they like. */
class SparseLogTest {

    private static final long SECOND_NS = 1_000_000_000;
    private static final TenantId RED = new TenantId("red");
    private static final TenantId BLUE = new TenantId("blue");

    private final List<String> written = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private long nowNs;
    private boolean enabled = true;
    private final SparseLog log = new SparseLog(logger(), () -> nowNs, later::add);

    /** Notes levels and arguments. */
    private Logger logger() {
        return (Logger) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isEnabledForLevel" -> enabled;
                    case "atLevel" -> builder((Level) arguments[0]);
                    default -> throw new AssertionError(method.getName());
                });
    }

    private LoggingEventBuilder builder(Level level) {
        return (LoggingEventBuilder) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {LoggingEventBuilder.class}, (proxy, method, arguments) -> {
                    written.add(level + " " + Arrays.toString((Object[]) arguments[1]));
                    return null;
                });
    }

    private void second() {
        nowNs += SECOND_NS;
        List<Runnable> due = List.copyOf(later);
        later.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void aFloodIsAFewLinesASecondAndHowManyMore() {
        for (int i = 0; i < 10_000; i++) {
            log.warn(RED, "qp={}", i);
        }
        assertEquals(List.of("WARN [0]", "WARN [1]", "WARN [2]"), written);
        second();
        assertEquals("WARN [red, 9997, qp={}]", written.get(3));
        log.warn(RED, "qp={}", 10_000);
        assertEquals("WARN [10000]", written.get(4), "the next second has its own");
    }

    @Test
    void othersAndOtherKindsHaveTheirOwnLines() {
        for (int i = 0; i < 100; i++) {
            log.warn(RED, "qp={}", i);
        }
        log.warn(BLUE, "qp={}", 1);
        log.error(RED, "device={}", 2);
        assertEquals(List.of("WARN [1]", "ERROR [2]"), written.subList(SparseLog.MOST, written.size()));
    }

    @Test
    void fewLinesASecondAreAllThere() {
        for (int i = 0; i < 100; i++) {
            log.info(RED, "qp={}", i);
            second();
        }
        assertEquals(100, written.size());
        assertTrue(later.isEmpty());
    }

    /** Lines that go on while nobody has said yet how many there were are of the same second. */
    @Test
    void howManyMoreIsSaidOnceAlsoWhenItIsSaidLate() {
        for (int i = 0; i < 10; i++) {
            log.warn(RED, "qp={}", i);
        }
        nowNs += 2 * SECOND_NS;
        log.warn(RED, "qp={}", 10);
        assertEquals(1, later.size());
        second();
        assertEquals("WARN [red, 8, qp={}]", written.get(SparseLog.MOST));
    }

    @Test
    void anyNumberOfPartiesTakesBoundedMemoryAndLines() {
        for (int i = 0; i < 100 * SparseLog.MOST_PARTIES; i++) {
            log.warn("host " + i, "host={}", i);
        }
        assertEquals(SparseLog.MOST_PARTIES + SparseLog.MOST, written.size());
        assertTrue(log.parties() <= SparseLog.MOST_PARTIES + 1);
        second();
        log.warn("host again", "host={}", -1);
        assertEquals("WARN [-1]", written.get(written.size() - 1));
        assertEquals(1, log.parties());
    }

    @Test
    void whatIsSwitchedOffIsNotCounted() {
        enabled = false;
        for (int i = 0; i < 10; i++) {
            log.debug(RED, "qp={}", i);
        }
        assertEquals(List.of(), written);
        assertEquals(0, log.parties());
    }
}
