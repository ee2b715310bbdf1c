package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A QP over a port that is not shm's, and lets what is sent be under way for as long as the test likes. */
class PortTest {

    private static final byte[] PEER = {4, 5, 6};

    private final WorkCompletion wc = new WorkCompletion();
    private final List<WindowedPort> ports = new ArrayList<>();
    private SoftDevice device;
    private ShmEnd end;
    private WindowedPort port;

    @BeforeEach
    void makeEnd() {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        device = SoftDevice.open(System::nanoTime, qp -> {
            WindowedPort made = new WindowedPort(qp);
            ports.add(made);
            return made;
        });
        end = new ShmEnd(device, 4);
        port = ports.get(0);
    }

    @AfterEach
    void closeAll() {
        end.close();
        device.close();
    }

    private void send(long id) {
        assertEquals(1, end.qp.prepareSend(SendRequest.send(id, end.sge(0, 8))).execute());
    }

    private void expectSend(long id, WcStatus status) {
        assertTrue(end.sendCq.poll(wc), "no completion");
        assertEquals(id, wc.wrId());
        assertEquals(status, wc.status());
    }

    @Test
    void aSendIsCompletedWhenItsPortHasItAcknowledged() {
        end.qp.connect(PEER);
        send(1);
        send(2);
        assertFalse(end.sendCq.poll(wc), "it is under way");
        assertEquals(2, port.underWay());
        port.acknowledge(1);
        expectSend(1, WcStatus.SUCCESS);
        assertFalse(end.sendCq.poll(wc), "it is under way");
        port.acknowledge(1);
        expectSend(2, WcStatus.SUCCESS);
    }

    @Test
    void whoWaitsForEventsLetsThePortGoOn() {
        end.qp.connect(PEER);
        send(1);
        end.channel.await(0);
        assertEquals(1, port.underWay());
        port.acknowledge(1);
        end.channel.await(1); // tells the time once, at least
        assertEquals(0, port.underWay());
        expectSend(1, WcStatus.SUCCESS);
    }

    @Test
    void aMessageThatArrivesCompletesTheOldestReceive() {
        end.qp.connect(PEER);
        assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(7, end.sge(64, 16))).execute());
        port.arrive("hello");
        assertTrue(end.receiveCq.poll(wc));
        assertEquals(7, wc.wrId());
        byte[] bytes = new byte[wc.byteLength()];
        end.mr.buffer(64, bytes.length).get(bytes);
        assertEquals("hello", new String(bytes, StandardCharsets.US_ASCII));
    }

    @Test
    void whatIsUnderWayIsFlushedInOrderWhenThePortFails() {
        end.qp.connect(PEER);
        assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(7, end.sge(64, 16))).execute());
        send(1);
        send(2);
        port.acknowledge(1);
        port.breakDown();
        assertEquals(QueuePairState.ERR, end.qp.state());
        expectSend(1, WcStatus.SUCCESS);
        expectSend(2, WcStatus.WR_FLUSH_ERR);
        assertTrue(end.receiveCq.poll(wc), "no completion");
        assertEquals(7, wc.wrId());
        assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
    }

    @Test
    void whatIsUnderWayIsFlushedWhenTheUserMovesTheQueuePairToError() {
        end.qp.connect(PEER);
        send(1);
        end.qp.error();
        expectSend(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aPeerThatThePortRefusesLeavesTheQueuePairInInit() {
        assertArrayEquals(new byte[] {1, 2, 3}, end.qp.endpoint());
        assertThrows(VerbsException.class, () -> end.qp.connect(new byte[1]));
        assertEquals(QueuePairState.INIT, end.qp.state());
        end.qp.connect(PEER);
        assertEquals(QueuePairState.RTS, end.qp.state());
    }

    @Test
    void aClosedQueuePairGivesItsMemoryBackWhenItsPortIsDisconnected() {
        QueuePairAttributes attributes = new QueuePairAttributes(end.sendCq, end.receiveCq).depth(2, 2);
        end.pd.createQp(attributes).close();
        assertEquals(List.of("open", "disconnect in ERR", "close"), ports.get(1).calls);
        try (QueuePair next = end.pd.createQp(attributes)) {
            assertEquals(QueuePairState.RESET, next.state());
            assertEquals(ports.get(1).qp.address(), ports.get(2).qp.address(), "its memory is free");
        }
    }

    @Test
    void aQueuePairWhosePortCannotOpenIsNotMade() {
        QueuePairAttributes refused = new QueuePairAttributes(end.sendCq, end.receiveCq).depth(1, 1);
        assertThrows(VerbsException.class, () -> end.pd.createQp(refused));
        assertEquals(List.of("open", "disconnect in RESET"), ports.get(1).calls);
        try (QueuePair next = end.pd.createQp(new QueuePairAttributes(end.sendCq, end.receiveCq).depth(2, 2))) {
            assertEquals(ports.get(1).qp.address(), ports.get(2).qp.address(), "its memory is free");
            assertEquals(QueuePairState.RESET, next.state());
        }
    }
}
