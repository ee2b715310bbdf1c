package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.CmSettings;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.PrivateBytes;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Opcode;

/** Connections that are made and ended by MADs, in frames that may be lost. */
class ManagementPortTest {

    private static final int PORT = 7471;
    private static final int MTU_CODE = 3;
    private static final int MAD_AT = Bth.BYTES + Deth.BYTES;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int PSN_A = 0xfffffe;
    private static final int PSN_B = 77;

    private final Network network = new Network(1, true, 1024);
    private final Topology star =
            Topology.star(network, Links.defaults(), new SwitchSettings(), new NicSettings(), 64, 2);
    private final Stream fromA = new Stream(Operation.SEND, 10, 3);
    private final Stream fromB = new Stream(Operation.SEND, 10, 3);
    private final EndpointSettings settings =
            EndpointSettings.of(RcAttributes.defaults().withRetries(7, 7, 1_000_000));
    private final RcEndpoint a = star.host(0).endpoint(settings, fromA);
    private final RcEndpoint b = star.host(1).endpoint(settings, fromB);
    private final ManagementPort atA = star.host(0).management(CmSettings.defaults());
    private final ManagementPort atB = star.host(1).management(CmSettings.defaults());
    private final List<CmEvent.Kind> told = new ArrayList<>();
    private CmConnection asked;
    private CmConnection taken;
    private int reason;
    private byte[] data;

    private ConnectRequest request() {
        return new ConnectRequest(0, 0, Req.serviceId(PORT), 0, a.qpn(), PSN_A, 16, 16, MTU_CODE, 7, 7, 14, false, 1,
                ManagementPort.peer(star.host(0).address()).gid(), ManagementPort.peer(star.host(1).address()).gid(),
                PrivateBytes.wrap(new byte[] {1, 2}, PrivateBytes.MAX_REQUEST));
    }

    /** A REQ or REP names the PSN with which its receiver begins. */
    private void connect() {
        asked = atA.connect(request(), ManagementPort.peer(star.host(1).address()), event -> {
            told.add(event.kind());
            reason = event.reason();
            if (event.kind() == CmEvent.Kind.REPLIED) {
                ConnectReply reply = event.reply();
                a.agree(star.host(1).mac(), reply.qpn(), reply.startingPsn(), PSN_A, () -> atA.heard(asked));
                a.begin();
                assertTrue(atA.ready(asked));
            }
        });
        network.events().runUntil(network.nowNs() + SECOND_NS);
    }

    private void listen() {
        assertTrue(atB.listen(Req.serviceId(PORT), event -> {
            told.add(event.kind());
            if (event.kind() == CmEvent.Kind.REQUESTED) {
                data = PrivateBytes.unwrap(event.request().privateData());
                taken = event.connection();
                b.agree(ManagementPort.mac(taken.peer()), event.request().qpn(), event.request().startingPsn(), PSN_B,
                        () -> atB.heard(taken));
                b.posted(); // goes nowhere yet
                assertTrue(atB.accept(taken, new ConnectReply(0, 0, 0, 0, b.qpn(), PSN_B, 16, 16, 7, false,
                        new byte[0])));
            } else if (event.kind() == CmEvent.Kind.ESTABLISHED) {
                b.begin();
            }
        }));
    }

    /** Loses the first message with an attribute. */
    private void lose(int attribute) {
        boolean[] lost = new boolean[1];
        star.hosts().forEach(host -> host.port().faults().loses((frame, number) -> {
            boolean isIt = !lost[0] && isMad(frame, attribute);
            lost[0] |= isIt;
            return isIt;
        }));
    }

    private static boolean isMad(Frame frame, int attribute) {
        return frame.kind() == Frame.Kind.PACKET && Bth.opcode(frame.packet(), 0) == Opcode.UD_SEND_ONLY
                && Mad.attribute(frame.packet().slice(MAD_AT, Mad.BYTES)) == attribute;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Mad.REQ, Mad.REP, Mad.RTU, Mad.DREQ, Mad.DREP})
    void aConnectionIsMadeAndEndedThoughAMessageIsLost(int attribute) {
        lose(attribute);
        listen();
        connect();
        assertArrayEquals(new byte[] {1, 2}, data);
        assertEquals(List.of(CmEvent.Kind.REQUESTED, CmEvent.Kind.REPLIED, CmEvent.Kind.ESTABLISHED), told);
        assertEquals(3, fromA.completed());
        assertEquals(3, fromB.completed());
        atA.disconnect(asked);
        network.events().runUntil(network.nowNs() + SECOND_NS);
        assertEquals(CmEvent.Kind.ENDED, told.get(told.size() - 1));
        assertTrue(atA.isQuiet() && atB.isQuiet());
    }

    @Test
    void nobodyListensIsAnAnswer() {
        connect();
        assertEquals(List.of(CmEvent.Kind.REFUSED), told);
        assertEquals(RejectReason.INVALID_SERVICE_ID, reason);
    }

    @Test
    void aDeadPeersSilenceIsToldInTheEnd() {
        star.host(1).kill();
        connect();
        network.events().runUntil(network.nowNs() + 120 * SECOND_NS);
        assertEquals(List.of(CmEvent.Kind.REFUSED), told);
        assertEquals(0, reason);
    }

    /** Neither RTU arrives, nor what is behind the first packet: the passive side has sent nothing. */
    @Test
    void nothingIsSentToAPeerThatHasNotShownThatItIsThere() {
        star.host(0).port().faults().loses((frame, number) -> isMad(frame, Mad.RTU)
                || Bth.opcode(frame.packet(), 0) != Opcode.UD_SEND_ONLY
                        && Bth.psn(frame.packet(), 0) == PSN_B);
        listen();
        connect();
        assertEquals(0, b.counters().sentPackets());
        assertFalse(atB.isQuiet());
    }

    @Test
    void aDamagedMessageIsDroppedAndCounted() {
        listen();
        star.host(0).port().faults().damages(1, true);
        connect();
        assertTrue(atB.dropped() > 0);
        assertEquals(List.of(), told);
        assertEquals(0, network.framesOut());
    }

    @Test
    void frameWithoutPayloadsHaveNoRoomForMads() {
        Topology bare = Topology.star(new Network(1, false, 1024), Links.defaults(), new SwitchSettings(),
                new NicSettings(), 64, 2);
        assertThrows(IllegalArgumentException.class, () -> bare.host(0).management(CmSettings.defaults()));
    }
}
