package org.jvrpc.tools.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;

/** The self-test finds what is wrong. */
final class SelfTestTest {

    @ParameterizedTest
    @CsvSource({"rdma://h, rdma://h:0", "rdma://h:7, rdma://h:7", "rdma://h?device=x, rdma://h:0?device=x",
        "rdma://h:7?device=x, rdma://h:7?device=x", "shm://name, shm://name", "rdma://[::1], rdma://[::1]:0"})
    void anAddressWithoutPortTakesAny(String given, String expected) {
        assertEquals(expected, SelfTest.withPort(given));
    }

    @Test
    void perftestsTypicalTimeIsRead() {
        assertEquals(12_910, SendLat.parse("""
                ---------------------------------------------------------------------------------------
                 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]
                 16      3000          10.51          250.12       12.91              13.40
                ---------------------------------------------------------------------------------------
                """));
        assertTrue(assertThrows(NotProvenException.class, () -> SendLat.parse("IB device not found\n")).getMessage()
                .contains("ib device not found"));
    }

    @Test
    void wrongDataIsFound() {
        try (Loopback pair = Loopback.open("shm://self-test")) {
            pair.left.fill(0, 100, 3);
            pair.left.check("intact", 0, 100, 3);
            pair.left.memory.buffer(57, 1).put(0, (byte) 99);
            StepFailedException failure = assertThrows(
                    StepFailedException.class, () -> pair.left.check("changed", 0, 100, 3));
            assertTrue(failure.getMessage().contains("byte 57 of 100"), failure::getMessage);
        }
    }

    @Test
    void anotherStatusThanExpectedIsFound() {
        try (Loopback pair = Loopback.open("shm://self-test")) {
            pair.right.receive(1, pair.right.sge(0, 8));
            pair.left.post(SendRequest.send(1, pair.left.sge(0, 8)).signalled());
            StepFailedException failure = assertThrows(StepFailedException.class,
                    () -> pair.left.sentFails(1, WcStatus.REM_ACCESS_ERR));
            assertTrue(failure.getMessage().contains("SUCCESS"), failure::getMessage);
        }
    }
}
