package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;

/** A device whose QPs send to each other without the kernel. */
class RoceInnerLoopTest extends RoceEnds {

    private static void join(ShmEnd a, ShmEnd b) {
        a.qp.connect(b.qp.endpoint());
        b.qp.connect(a.qp.endpoint());
    }

    private static ShmEnd end(Device device) {
        return new ShmEnd(device, 4);
    }

    @Test
    void messagesBetweenItsQpsArrive() {
        Device device = open("roce://127.0.0.1:1?loopback=inside");
        ShmEnd a = end(device);
        ShmEnd b = end(device);
        join(a, b);
        for (int i = 0; i < 100; i++) {
            exercise(a, b, i);
            exercise(b, a, ~i);
        }
        assertEquals(0, device.counters().get("lost_pkts"));
    }

    /** Whoever sleeps polls no more: the node's thread takes what stays in the process, too. */
    @Test
    void aSleeperIsWokenByAMessage() {
        Device device = open("roce://127.0.0.1:1?loopback=inside");
        ShmEnd a = end(device);
        ShmEnd b = end(device);
        join(a, b);
        exercise(a, b, 1);
        assertEquals(1, b.qp.prepareReceive(ReceiveRequest.of(7, b.sge(64, 8))).execute());
        WorkCompletion wc = new WorkCompletion();
        b.receiveCq.arm();
        assertTrue(!b.receiveCq.poll(wc), "nothing was sent");
        assertEquals(1, a.qp.prepareSend(SendRequest.send(1, a.sge(0, 8)).signalled()).execute());
        EventChannel channel = b.channel;
        assertTrue(channel.await(TIMEOUT_NS), "no event within " + TIMEOUT_NS + " ns");
        Waits.until("the message", () -> b.receiveCq.poll(wc));
    }

    @Test
    void anotherKindOfLoopbackIsRefused() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> Devices.open("roce://127.0.0.1:1?loopback=outside"));
        assertTrue(e.getMessage().contains("loopback=outside"), e.getMessage());
    }
}
