package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.ModelDevices;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** Messages of control have slots of their own, which are used in turn. */
class ControlSendsTest {

    private static final long LOOK_NS = 1_000_000_000L;

    private final Device device = Devices.open("model://any");
    private long nowNs;
    /** Each look at the clock finds it a second later. */
    private final VerbsLink link = new VerbsLink(
            () -> nowNs += LOOK_NS, device, new SessionDomain(device, null), device.createChannel(),
            LinkSize.fixed(1, 64, 1));

    @AfterEach
    void close() {
        device.close();
    }

    private boolean send() {
        return link.sendControl(RpcHeader.first(RpcHeader.CREDIT, 0, 0, 0), RpcHeader.second(0, 1, 0));
    }

    @Test
    void oneIsNotWrittenOverAnotherThatIsUnderWay() {
        ModelDevices.last().vanished = true;
        for (int i = 0; i < Protocol.CONTROLS; i++) {
            assertTrue(link.hasControl());
            assertTrue(send());
        }
        assertFalse(link.hasControl());
        assertNull(link.failure());
        assertEquals(0, nowNs, "nobody waited so far");
        assertFalse(send(), "its slot was under way");
        assertTrue(link.failure().contains("did not complete within ms=15000"), link.failure());
    }
}
