package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.VerbsException;

/** Where things lie in a session's memory, and what clients are told where there is no session. */
class LinkLayoutTest {

    @ParameterizedTest
    @CsvSource({"1, 1, 256, 320", "12, 12, 64, 1536", "9, 9, 100, 1536", "1, 1, 1, 128", "9, 1, 256, 832"})
    void receivesBeginBehindTheSlotsOnALineOfTheirOwn(int headers, int slots, int slotBytes, int at) {
        assertEquals(at, LinkLayout.receives(headers, slots, slotBytes));
        assertEquals(at, LinkLayout.regionBytes(headers, slots, slotBytes, 0));
        assertEquals(at + 8 * ReceiveBatches.stride(slotBytes), LinkLayout.regionBytes(headers, slots, slotBytes, 8));
    }

    @Test
    void bodiesBeginBehindTheHeaders() {
        assertEquals(12 * 64, LinkLayout.body(12, 100, 0));
        assertEquals(12 * 64 + 300, LinkLayout.body(12, 100, 3));
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 3", "4, 6", "88, 90"})
    void receivesArePostedInTwosWithTwoToSpare(int messages, int receives) {
        assertEquals(receives, ReceiveBatches.count(messages));
    }

    @ParameterizedTest
    @CsvSource({"0, 64", "48, 64", "49, 128", "256, 320", "4096, 4160"})
    void aReceiveHasRoomForHeaderAndBody(int slotBytes, int stride) {
        assertEquals(stride, ReceiveBatches.stride(slotBytes));
    }

    /** Slots, headers of control messages, receives, and 256 bytes for each entry of the queues that there may be. */
    @Test
    void aSessionCostsWhatItsSlotsReceivesAndQueuesTake() {
        assertEquals(9 * 64 + 256 + 7 * 320 + (128 + 7) * 256, LinkLayout.sessionBytes(Protocol.CALLS, 1, 1, 256));
        assertEquals(12 * 64 + 4 * 256 + 10 * 320 + (128 + 122) * 256,
                LinkLayout.sessionBytes(Protocol.CALLS, 4, 64, 256));
        assertEquals(12 * 64 + 4032 + 14 * 1024 + (128 + 14) * 256,
                LinkLayout.sessionBytes(Protocol.MESSAGES, 4, 4, 1000));
    }

    private static void told(Status status, RuntimeException cause) {
        RpcException told = (RpcException) ClientDevice.refusal(cause);
        assertEquals(status, told.status());
        assertEquals(cause.getMessage(), told.getMessage());
        assertSame(cause, told.getCause());
    }

    @Test
    void aClientIsToldByAStatusWhyItHasNoSession() {
        for (ConnectionException.Reason reason : ConnectionException.Reason.values()) {
            told(switch (reason) {
                case VERSION -> Status.FAILED_PRECONDITION;
                case FORBIDDEN -> Status.PERMISSION_DENIED;
                case UNREACHABLE, REJECTED, TIMEOUT, LOCAL -> Status.UNAVAILABLE;
            }, new ConnectionException(reason, "planted", null));
        }
        for (String operation : new String[] {"open_device", "load", "get_device_list", "create_id"}) {
            told(Status.UNAVAILABLE, new VerbsException(operation, "planted"));
        }
        told(Status.RESOURCE_EXHAUSTED, new VerbsException("reg_mr", "planted"));
        RuntimeException other = new IllegalStateException("planted");
        assertSame(other, ClientDevice.refusal(other));
    }
}
