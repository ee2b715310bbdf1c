package org.jvrpc.roce.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.jvrpc.roce.cm.CmNode.NONE;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.roce.cm.CmCounters.Drop;
import org.jvrpc.roce.cm.CmNode.Message;
import org.jvrpc.roce.cm.message.Dreq;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Rtu;
import org.jvrpc.roce.cm.message.Verdict;

/** Messages of one who is not the peer, and of many who are nobody. */
class CmForgeryTest {

    private static final long SECOND = 1_000_000_000;

    private final CmNode client = new CmNode(1);
    private final CmNode server = new CmNode(2, new Random(2)::nextInt,
            CmSettings.defaults().withHalfOpen(20, 5, 10 * SECOND));
    private final CmNode stranger = new CmNode(3);
    private CmConnection asked;
    private CmConnection taken;

    @BeforeEach
    void request() {
        server.listen();
        asked = client.connect(server, 0);
        server.receiveAll(client, 0);
        taken = server.event().connection();
    }

    private void reply() {
        server.accept(taken, 0);
        client.receiveAll(server, 0);
        client.event();
    }

    private void establish() {
        reply();
        client.manager.ready(asked, 0);
        server.receiveAll(client, 0);
        server.event();
    }

    /** Asserts that a node drops a message for a reason, and neither answers nor says anything. */
    private static void drops(Drop why, CmNode node, ByteBuffer mad, CmNode from) {
        long before = node.manager.counters().drops(why);
        long sent = node.sentCount;
        node.manager.receive(mad, from.self, 0);
        assertEquals(before + 1, node.manager.counters().drops(why));
        assertEquals(sent, node.sentCount);
        assertNull(node.event());
    }

    @Test
    void aRejectionOfARequestByAnotherIsDropped() {
        ByteBuffer rej = Rej.create(asked.tid, 0, asked.localId, Rej.OF_REQ, RejectReason.CONSUMER, NONE);
        drops(Drop.STRANGER, client, rej, stranger);
        drops(Drop.STRANGER, client, Rej.create(asked.tid + 1, 0, asked.localId, Rej.OF_REQ, 28, NONE), server);
        drops(Drop.UNKNOWN, client, Rej.create(asked.tid, 0, asked.localId + 1, Rej.OF_REQ, 28, NONE), server);
        reply();
        assertTrue(client.manager.ready(asked, 0), "the connection is as it was");
    }

    @Test
    void aRejectionOfAConnectionByAnotherIsDropped() {
        establish();
        drops(Drop.STRANGER, server, Rej.create(asked.tid, asked.localId, taken.localId, 1, 28, NONE), stranger);
        drops(Drop.STRANGER, server, Rej.create(asked.tid, asked.localId + 1, taken.localId, 1, 28, NONE), client);
        drops(Drop.STRANGER, server, Rej.create(asked.tid + 1, asked.localId, taken.localId, 1, 28, NONE), client);
        drops(Drop.UNKNOWN, server, Rej.create(asked.tid, asked.localId, 0, 2, RejectReason.TIMEOUT, 1L), stranger);
        drops(Drop.STRANGER, server, Rej.create(asked.tid + 1, asked.localId, 0, 2, RejectReason.TIMEOUT, 1L), client);
        drops(Drop.UNKNOWN, server, Rej.create(asked.tid, asked.localId, 0, 2, RejectReason.CONSUMER, 1L), client);
    }

    @Test
    void aDisconnectByAnotherIsDropped() {
        establish();
        int qpn = CmNode.QPN;
        drops(Drop.STRANGER, server, Dreq.create(5, asked.localId, taken.localId, qpn), stranger);
        drops(Drop.STRANGER, server, Dreq.create(5, asked.localId + 1, taken.localId, qpn), client);
        drops(Drop.STRANGER, server, Dreq.create(5, asked.localId, taken.localId, qpn + 1), client);
        drops(Drop.UNKNOWN, server, Dreq.create(5, asked.localId, taken.localId + 1, qpn), client);
        assertEquals(1, server.manager.size());
        server.manager.receive(Dreq.create(5, asked.localId, taken.localId, qpn), client.self, 0);
        assertEquals(CmEvent.Kind.ENDED, server.event().kind());
    }

    @Test
    void aConfirmationByAnotherIsDropped() {
        reply();
        drops(Drop.STRANGER, server, Rtu.create(asked.tid, asked.localId, taken.localId), stranger);
        drops(Drop.STRANGER, server, Rtu.create(asked.tid + 1, asked.localId, taken.localId), client);
        drops(Drop.STRANGER, server, Rtu.create(asked.tid, asked.localId + 1, taken.localId), client);
        assertEquals(1, server.manager.halfOpen());
    }

    @Test
    void aReplyByAnotherIsDropped() {
        server.accept(taken, 0);
        Message rep = server.sent.poll();
        drops(Drop.STRANGER, client, rep.mad(), stranger);
        ByteBuffer wrong = rep.mad().duplicate();
        wrong.putLong(8, asked.tid + 1);
        drops(Drop.STRANGER, client, wrong, server);
    }

    @Test
    void aRequestThatNamesAnotherHostThanItCameFromIsRefused() {
        stranger.connect(server, 0);
        Message req = stranger.sent.poll();
        server.manager.receive(req.mad(), client.self, 0);
        assertEquals(1, server.manager.counters().refusals(Verdict.GID));
        assertNull(server.event());
        Message rej = server.sent.poll();
        assertEquals(RejectReason.INVALID_GID, Rej.reason(rej.mad()));
        assertEquals(client.self, rej.to());
    }

    /** By a peer that began anew, or by somebody in its name: what is connected stays. */
    @Test
    void aRequestOfAQpThatIsConnectedIsRefused() {
        establish();
        CmNode restarted = new CmNode(1, new Random(3)::nextInt, CmSettings.defaults());
        restarted.connect(server, 0);
        server.receiveAll(restarted, 0);
        assertNull(server.event());
        assertEquals(1, server.manager.counters().refusals(Verdict.STALE));
        restarted.receiveAll(server, 0);
        assertEquals(RejectReason.STALE_CONNECTION, restarted.event().reason());
        assertEquals(1, server.manager.size());
        client.manager.disconnect(asked, 0);
        server.receiveAll(client, 0);
        assertEquals(CmEvent.Kind.ENDED, server.event().kind());
        restarted.connect(server, 0);
        server.receiveAll(restarted, 0);
        assertEquals(CmEvent.Kind.REQUESTED, server.event().kind());
    }

    @Test
    void oneSourceHasSoManyHalfOpenConnectionsAndOthersGoOn() {
        for (int i = 0; i < 10; i++) {
            stranger.connect(server, 0);
        }
        server.receiveAll(stranger, 0);
        assertEquals(5, server.manager.counters().drops(Drop.CAPPED));
        assertEquals(6, server.manager.halfOpen());
        assertTrue(server.sent.isEmpty());
        List<CmEvent> events = events();
        assertEquals(10, events.stream().filter(e -> e.kind() == CmEvent.Kind.REQUESTED).count());
        List<CmConnection> ended = events.stream().filter(e -> e.kind() == CmEvent.Kind.ENDED)
                .map(CmEvent::connection).toList();
        assertEquals(events.stream().filter(e -> e.kind() == CmEvent.Kind.REQUESTED).limit(5)
                .map(CmEvent::connection).toList(), ended, "its oldest make room");
        establish();
        assertEquals(5, server.manager.halfOpen());
    }

    private List<CmEvent> events() {
        List<CmEvent> events = new ArrayList<>();
        for (CmEvent e = server.event(); e != null; e = server.event()) {
            events.add(e);
        }
        return events;
    }

    /** In which each request names another host; one who is there needs a round trip only. */
    @Test
    void aFloodLocksNobodyOut() {
        for (int host = 10; host < 500; host++) {
            CmNode source = new CmNode(host);
            source.connect(server, 0);
            server.receiveAll(source, 0);
        }
        CmNode late = new CmNode(500);
        CmConnection wanted = late.connect(server, 0);
        server.receiveAll(late, 0);
        List<CmEvent> events = events();
        CmConnection came = events.get(events.size() - 1).kind() == CmEvent.Kind.REQUESTED
                ? events.get(events.size() - 1).connection() : events.get(events.size() - 2).connection();
        assertEquals(wanted.localId, came.remoteId);
        server.accept(came, 0);
        for (int host = 600; host < 610; host++) { // fewer than fit, during the round trip
            CmNode source = new CmNode(host);
            source.connect(server, 0);
            server.receiveAll(source, 0);
        }
        late.receiveAll(server, 0);
        late.event();
        assertTrue(late.manager.ready(wanted, 0));
        server.receiveAll(late, 0);
        assertTrue(events().stream().anyMatch(
                e -> e.kind() == CmEvent.Kind.ESTABLISHED && e.connection() == came));
    }

    /** One host cannot drive out what others began. */
    @Test
    void theSourceThatHasMostMakesRoom() {
        for (int host = 10; host < 24; host++) { // one each, with that of the client 15
            CmNode source = new CmNode(host);
            source.connect(server, 0);
            server.receiveAll(source, 0);
        }
        for (int i = 0; i < 10; i++) {
            stranger.connect(server, 0);
        }
        server.receiveAll(stranger, 0);
        CmNode late = new CmNode(500);
        late.connect(server, 0);
        server.receiveAll(late, 0);
        List<CmConnection> ended = events().stream().filter(e -> e.kind() == CmEvent.Kind.ENDED)
                .map(CmEvent::connection).toList();
        assertEquals(6, ended.size());
        ended.forEach(c -> assertEquals(stranger.self.gid(), c.peer().gid()));
    }

    @Test
    void aFloodOfRequestsDrawsNoMoreThanItSentAndTakesBoundedMemoryForATime() {
        long received = server.sentCount;
        for (int round = 0; round < 3; round++) {
            for (int host = 10; host < 1000; host++) {
                CmNode source = new CmNode(host);
                source.connect(server, 0);
                source.connect(server, 0);
                received += source.sent.size() * 2L;
                source.sent.forEach(m -> server.receive(m, 0));
                source.sent.forEach(m -> server.receive(m, 0));
            }
            for (CmEvent e = server.event(); e != null; e = server.event()) {
                server.accept(e.connection(), 0); // however eager the consumer is
            }
            assertTrue(server.sentCount <= received, "sent=" + server.sentCount + " received=" + received);
            assertTrue(server.manager.halfOpen() <= 20);
            assertTrue(server.manager.size() <= 20, "size=" + server.manager.size());
        }
        assertTrue(server.manager.counters().drops(Drop.CAPPED) > 0);
        server.manager.tick(10 * SECOND);
        assertTrue(server.manager.isEmpty());
        CmConnection later = client.connect(server, 10 * SECOND);
        server.receiveAll(client, 10 * SECOND);
        CmEvent event = server.event();
        while (event.kind() != CmEvent.Kind.REQUESTED) {
            event = server.event();
        }
        assertEquals(later.localId, event.connection().remoteId);
    }

    @Test
    void restingConnectionsAreSoManyAtMost() {
        CmSettings few = new CmSettings(SECOND, SECOND, 1, 1, 0, SECOND, SECOND, 20, 20, 3);
        CmNode busy = new CmNode(4, new Random(4)::nextInt, few);
        busy.listen();
        for (int i = 0; i < 50; i++) {
            client.connect(busy, 0);
            busy.receiveAll(client, 0);
            busy.manager.reject(busy.event().connection(), RejectReason.CONSUMER, NONE, 0);
        }
        assertEquals(3, busy.manager.size());
        assertEquals(50, busy.sentCount);
        busy.manager.tick(SECOND);
        assertTrue(busy.manager.isEmpty());
    }

    @Test
    void aMessageThatMakesNoSenseIsCounted() {
        ByteBuffer mad = Mad.create(Mad.DREP + 1, 1);
        server.manager.receive(mad, client.self, 0);
        assertEquals(1, server.manager.counters().refusals(Verdict.ATTRIBUTE));
        server.manager.receive(ByteBuffer.allocate(255), client.self, 0);
        assertEquals(1, server.manager.counters().refusals(Verdict.LENGTH));
        assertEquals(List.of(), server.attributes());
    }
}
