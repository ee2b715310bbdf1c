package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What a device that sends packets has counted, as its users see it. */
class RoceCountersTest extends RoceEnds {

    private static final String ADDRESS = "roce://127.0.0.1:0";

    private static void connect(ShmEnd left, ShmEnd right) {
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
    }

    @Test
    void whatQpsHaveCountedStaysWhenTheyAreClosed() {
        Device one = open(ADDRESS);
        Device other = open(ADDRESS);
        try (ShmEnd left = new ShmEnd(one, 4); ShmEnd right = new ShmEnd(other, 4)) {
            connect(left, right);
            exercise(left, right, 17);
        }
        Map<String, Long> counters = one.counters();
        assertTrue(counters.get("sent_pkts") >= 1, counters::toString);
        assertTrue(counters.get("rcvd_pkts") >= 1, counters::toString);
        assertEquals(0, counters.get("retry_exceeded_err"));
        try (ShmEnd left = new ShmEnd(one, 4); ShmEnd right = new ShmEnd(other, 4)) {
            connect(left, right);
            exercise(left, right, 18);
            assertTrue(one.counters().get("sent_pkts") > counters.get("sent_pkts"), () -> one.counters().toString());
        }
    }

    @Test
    void aSendThatNobodyAnswersIsCounted() {
        Device one = open(ADDRESS);
        WorkCompletion wc = new WorkCompletion();
        try (ShmEnd left = new ShmEnd(one, 4)) {
            try (ShmEnd right = new ShmEnd(open(ADDRESS), 4)) {
                connect(left, right);
            }
            left.qp.prepareSend(SendRequest.send(1, left.sge(0, 8)).signalled()).execute();
            Waits.until("the end of its retries", () -> left.sendCq.poll(wc));
            assertEquals(WcStatus.RETRY_EXC_ERR, wc.status());
            Map<String, Long> counters = one.counters();
            assertEquals(1, counters.get("retry_exceeded_err"));
            assertEquals(8, counters.get("local_ack_timeout_err"));
            assertEquals(7, counters.get("resent_pkts"));
        }
    }

    @Test
    void whatIsNoPacketIsCounted() throws IOException {
        Device device = open(ADDRESS);
        try (ShmEnd end = new ShmEnd(device, 4); DatagramChannel stranger = DatagramChannel.open()) {
            int port = ByteBuffer.wrap(end.qp.endpoint()).getShort(2) & 0xffff;
            stranger.send(ByteBuffer.allocate(100), new InetSocketAddress("127.0.0.1", port));
            Waits.until("a drop", () -> device.counters().get("dropped_pkts") == 1);
        }
    }

    @Test
    void aDeviceWithoutPacketsHasNoCounters() {
        assertEquals(Map.of(), open("shm://counters").counters());
    }
}
