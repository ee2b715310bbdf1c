package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.ud.UdResponder;

/** Datagrams between NICs. */
class DatagramEndpointTest {

    private static final int QKEY = 0x11111111;
    private static final int MTU = 1024;

    private final Network network = new Network(7, true, MTU);

    /** Notes what it is told. */
    private final class Told implements DatagramApplication {
        private final List<String> arrived = new ArrayList<>();
        private final List<Long> sent = new ArrayList<>();
        private long arrivedNs;
        private long sentNs;

        @Override
        public void arrived(int mac, int qpn, ByteBuffer from, int at, int length, long nicNs) {
            byte[] bytes = new byte[length];
            from.get(at, bytes);
            arrived.add(mac + "/" + Integer.toHexString(qpn) + ": " + new String(bytes).trim());
            arrivedNs = nicNs;
        }

        @Override
        public void sent(long cookie, long nicNs) {
            sent.add(cookie);
            sentNs = nicNs;
        }
    }

    private final Told a = new Told();
    private final Told b = new Told();
    private Topology star;
    private long beginNs;
    private DatagramEndpoint from;
    private DatagramEndpoint to;

    private void begin(NicSettings nics) {
        star = Topology.star(network, Links.defaults(), new SwitchSettings(), nics, 1 << 20, 2);
        from = star.host(0).datagrams(QKEY, MTU, a);
        to = star.host(1).datagrams(QKEY, MTU, b);
        beginNs = network.nowNs();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes());
    }

    private void end() {
        assertTrue(network.events().runUntil(1_000_000_000), "something is left to happen");
        assertEquals(0, network.framesOut());
    }

    @Test
    void aDatagramArrivesWithWhoSentIt() {
        begin(new NicSettings());
        assertTrue(from.send(1, to.qpn(), 0xc001, 3, bytes("hello"), 42));
        end();
        assertEquals(List.of("0/800000: hello"), b.arrived);
        assertEquals(List.of(42L), a.sent);
        assertEquals(beginNs, a.sentNs);
        assertTrue(b.arrivedNs > a.sentNs + 50, b.arrivedNs + " ns");
        assertEquals(1, to.count(UdResponder.Outcome.DELIVERED));
    }

    @Test
    void oneWithoutBytesArrivesToo() {
        begin(new NicSettings());
        from.send(1, to.qpn(), 0xc001, 3, bytes(""), 42);
        end();
        assertEquals(List.of("0/800000: "), b.arrived);
    }

    @Test
    void theNicTellsWhenAndTheHostHearsOfItLater() {
        begin(new NicSettings());
        from.send(1, to.qpn(), 0xc001, 3, bytes("x"), 1);
        end();
        long wayNs = b.arrivedNs - a.sentNs;
        DatagramEndpointTest costly = new DatagramEndpointTest();
        costly.begin(new NicSettings().costs(new HostCosts(80, 350, 10, 250, 10, 0)));
        costly.from.send(1, costly.to.qpn(), 0xc001, 3, bytes("x"), 1);
        assertFalse(costly.network.events().runUntil(costly.beginNs + 439 + wayNs + 250));
        assertEquals(List.of(), costly.b.arrived);
        costly.end();
        assertEquals(costly.beginNs + 80 + 10 + 350, costly.a.sentNs);
        assertEquals(wayNs, costly.b.arrivedNs - costly.a.sentNs);
    }

    @Test
    void flowsHaveTheirOwnPorts() {
        begin(new NicSettings());
        TreeSet<Integer> ports = new TreeSet<>();
        network.tap((nowNs, port, frame) -> ports.add(frame.sourcePort()));
        for (int flow = 0; flow < 3; flow++) {
            from.send(1, to.qpn(), 0xc000 + flow, 3, bytes("x"), flow);
        }
        end();
        assertEquals(new TreeSet<>(List.of(0xc000, 0xc001, 0xc002)), ports);
        assertEquals(List.of(0L, 1L, 2L), a.sent);
    }

    @Test
    void whatIsForItsOwnHostStaysInTheNic() {
        begin(new NicSettings().loopbackNs(30));
        long hops = network.hops();
        from.send(0, from.qpn(), 0xc001, 3, bytes("me"), 9);
        end();
        assertEquals(List.of("0/800000: me"), a.arrived);
        assertEquals(List.of(9L), a.sent);
        assertEquals(hops, network.hops());
    }

    @Test
    void aFullQueueRefuses() {
        begin(new NicSettings());
        int taken = 0;
        while (from.send(1, to.qpn(), 0xc001, 3, bytes("x"), taken)) {
            taken++;
        }
        assertTrue(from.send(1, to.qpn(), 0xc001, 4, bytes("x"), taken), "another level has its own queue");
        end();
        assertEquals(taken + 1, b.arrived.size());
        assertEquals(taken + 1, a.sent.size());
    }

    @Test
    void aPausedLevelHoldsUpNoOther() {
        begin(new NicSettings());
        star.tors().get(0).port(0).pause(3);
        network.events().runUntil(beginNs + 1_000);
        from.send(1, to.qpn(), 0xc001, 3, bytes("held"), 1);
        from.send(1, to.qpn(), 0xc001, 4, bytes("free"), 2);
        network.events().runUntil(beginNs + 10_000);
        assertEquals(List.of("0/800000: free"), b.arrived);
        assertEquals(List.of(2L), a.sent);
    }

    @Test
    void anotherKeyIsNotHeard() {
        begin(new NicSettings());
        DatagramEndpoint other = star.host(1).datagrams(QKEY + 1, MTU, b);
        from.send(1, other.qpn(), 0xc001, 3, bytes("x"), 1);
        end();
        assertEquals(List.of(), b.arrived);
        assertEquals(1, other.count(UdResponder.Outcome.QKEY));
    }

    @Test
    void aDamagedOneIsCountedAndNotDelivered() {
        begin(new NicSettings());
        star.host(0).port().faults().damages(1, true);
        from.send(1, to.qpn(), 0xc001, 3, bytes("a datagram whose bits fall over"), 1);
        end();
        assertEquals(List.of(), b.arrived);
        assertEquals(1, star.host(1).counters().damaged());
    }

    @Test
    void aDeadHostKeepsNoFrame() {
        begin(new NicSettings().costs(new HostCosts(80, 350, 10, 250, 10, 0)));
        for (int i = 0; i < 20; i++) {
            from.send(1, to.qpn(), 0xc001, 3, ByteBuffer.allocate(MTU), i);
        }
        network.events().runUntil(beginNs + 1_500);
        star.host(0).kill();
        end();
        assertFalse(from.send(1, to.qpn(), 0xc001, 3, bytes("x"), 1));
    }

    @Test
    void whatIsTooLongIsRefused() {
        begin(new NicSettings());
        String why = assertThrows(IllegalArgumentException.class,
                () -> from.send(1, to.qpn(), 0xc001, 3, ByteBuffer.allocate(MTU + 1), 1)).getMessage();
        assertEquals("datagram is longer than the MTU: bytes=1025 mtu=1024", why);
        assertThrows(IllegalArgumentException.class, () -> from.send(1, to.qpn(), 0xc001, 8, bytes("x"), 1));
        assertThrows(IllegalArgumentException.class, () -> star.host(0).datagrams(QKEY, MTU + 1, a));
    }
}
