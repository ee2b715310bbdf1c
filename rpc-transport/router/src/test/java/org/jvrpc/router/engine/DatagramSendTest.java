package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.Spin;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.datagram.DatagramEngine;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.RouteNote;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Datagrams of tenants, in memory that a test writes by hand, round by round. */
final class DatagramSendTest {

    private static final int QKEY = 77;
    private static final int ENTRIES = 8;
    private static final int SEND_BLOCKS = 16;
    private static final int SENDS = QpContext.RINGS + ENTRIES * 64;
    /** Where the QP lies in the party's data. */
    private static final int QP = 256 << 10;
    private static final int ROUNDS = 1000;

    private final EqualShares shares = new EqualShares();
    private final long nowNs = 5;
    private final Worker worker = new Worker(shares, Spin.ADAPTIVE, slab -> true, () -> nowNs);
    private final Datagrams from = new Datagrams(new Party(worker, "one", 1), 301, Party.PD);
    private final Datagrams to = new Datagrams(new Party(worker, "other", 2), 302, Party.PD);
    private int way;

    /** A datagram QP of a party, with the party's CQs. */
    private static final class Datagrams {

        final Party party;
        final int qpn;
        private final int at = Party.DATA + QP;
        private int written;
        private int posted;

        Datagrams(Party party, int qpn, int pd) {
            this.party = party;
            this.qpn = qpn;
            party.device.create(new QpNote(qpn, pd, party.data(QP), ENTRIES, 64, SEND_BLOCKS, SENDS, 1, 2, 0,
                    QpNote.DATAGRAM, QKEY, 7, 1000, 0));
        }

        void receive(int offset, int length) {
            int wqe = at + QpContext.RINGS + posted % ENTRIES * 64;
            party.segment(wqe, length, Party.KEY, party.data(offset));
            party.segment(wqe + 16, 0, Wqe.END_LKEY, 0);
            BigEndian.putIntRelease(party.memory, at + QpContext.RECORD + DoorbellRecord.RECEIVE, ++posted);
        }

        /** Sends by a way to a device. */
        void send(int length, int way, long device, int qp, int qkey) {
            int wqe = at + SENDS + written % SEND_BLOCKS * Wqe.BLOCK;
            party.control(wqe, Wqe.SEND, 5);
            int vector = wqe + Wqe.VECTOR;
            BigEndian.putLong(party.memory, vector, (long) qkey << 32);
            BigEndian.putInt(party.memory, vector + AddressVector.QPN, AddressVector.EXTENDED | qp);
            BigEndian.putShort(party.memory, vector + AddressVector.LID, way);
            BigEndian.putLong(party.memory, vector + AddressVector.GID, RouteNote.GID_HIGH);
            BigEndian.putLong(party.memory, vector + AddressVector.GID + 8, device);
            party.segment(wqe + Wqe.DATAGRAM_DATA, length, Party.KEY, party.data(0));
            written += Wqe.blocks(5);
            party.device.ring(qpn, written);
        }

        QueuePairState state() {
            return QpContext.state(party.memory, at);
        }

        int dropped(DatagramContext.Drop why) {
            return DatagramContext.dropped(party.memory, at, why);
        }
    }

    private void rounds() {
        int count = 0;
        while (worker.round(nowNs)) {
            assertTrue(++count < ROUNDS, "the worker comes to no end");
        }
    }

    private void ready() {
        from.party.device.ready(from.qpn);
        to.party.device.ready(to.qpn);
        way = from.party.device.route(Party.PD, to.party.device, 2);
    }

    private void send(int length) {
        from.send(length, way, 2, to.qpn, QKEY);
        rounds();
    }

    @Test
    void aDatagramArrivesAndItsSenderIsWhoTheRouterKnows() {
        ready();
        assertEquals(QueuePairState.RTS, to.state());
        from.party.fill(0, 100, 9);
        to.receive(1000, 200);
        send(100);
        from.party.expectSent(WcStatus.SUCCESS);
        int cqe = to.party.expectReceived(WcStatus.SUCCESS);
        assertEquals(QueuePair.DATAGRAM_HEADER_BYTES + 100, BigEndian.getInt(to.party.memory, cqe + Cqe.BYTE_COUNT));
        assertEquals(from.qpn, BigEndian.getInt(to.party.memory, cqe + Cqe.FLAGS_RQPN) & 0xffffff);
        assertTrue(to.party.has(1000 + QueuePair.DATAGRAM_HEADER_BYTES, 100, 9));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 1000, 65535})
    void aWayThatWasNotAskedForLeadsNowhere(int forged) {
        ready();
        to.receive(1000, 200);
        from.send(10, forged, 2, to.qpn, QKEY);
        rounds();
        from.party.expectSent(WcStatus.LOC_QP_OP_ERR);
        assertFalse(to.party.hasReceived());
        assertEquals(QueuePairState.ERR, from.state());
        assertEquals(1, from.party.failures.get());
    }

    @Test
    void aWayOfAnotherDomainOrDeviceLeadsNowhere() {
        ready();
        to.receive(1000, 200);
        int other = from.party.device.route(Party.PD + 1, to.party.device, 2);
        from.send(10, other, 2, to.qpn, QKEY);
        rounds();
        from.party.expectSent(WcStatus.LOC_QP_OP_ERR);
        to.send(10, way, 2, to.qpn, QKEY); // one that its peer asked for
        rounds();
        to.party.expectSent(WcStatus.LOC_QP_OP_ERR);
        assertFalse(to.party.hasReceived());
    }

    @Test
    void aWayThatIsClosedLeadsNowhereAndItsNumberRests() {
        ready();
        to.receive(1000, 200);
        from.party.device.unroute(way);
        assertThrows(RefusedException.class, () -> from.party.device.unroute(way));
        send(10);
        from.party.expectSent(WcStatus.LOC_QP_OP_ERR);
        assertTrue(from.party.device.route(Party.PD, to.party.device, 2) != way);
    }

    @Test
    void whatFindsNobodyIsDroppedAndComplete() {
        ready();
        from.send(10, way, 2, 999, QKEY);
        from.send(10, way, 2, to.party.qpn, QKEY); // an RC QP
        from.send(10, way, 2, to.qpn, QKEY + 1);
        send(10); // no receive
        for (int i = 0; i < 4; i++) {
            from.party.expectSent(WcStatus.SUCCESS);
        }
        assertEquals(1, to.dropped(DatagramContext.Drop.QKEY));
        assertEquals(1, to.dropped(DatagramContext.Drop.NO_RECEIVE));
        assertEquals(QueuePairState.RTS, from.state());
    }

    @Test
    void aDeviceThatEndedIsNotTouched() {
        ready();
        to.receive(1000, 200);
        to.party.device.end();
        send(10);
        from.party.expectSent(WcStatus.SUCCESS);
        assertFalse(to.party.hasReceived());
        assertNull(to.party.expelled);
    }

    @Test
    void aQpThatTookThePlaceOfAnotherIsReachedByItsOwnNumberAlone() {
        ready();
        to.party.device.destroyQp(to.qpn);
        Datagrams fresh = new Datagrams(to.party, 303, Party.PD);
        fresh.party.device.ready(303);
        fresh.receive(1000, 200);
        send(10);
        from.party.expectSent(WcStatus.SUCCESS);
        assertFalse(to.party.hasReceived());
        from.send(10, way, 2, 303, QKEY);
        rounds();
        from.party.expectSent(WcStatus.SUCCESS);
        to.party.expectReceived(WcStatus.SUCCESS);
    }

    @Test
    void aMessageThatIsTooLongFailsItsSender() {
        ready();
        to.receive(1000, 8000);
        send(DatagramEngine.MAX_DATAGRAM);
        from.party.expectSent(WcStatus.SUCCESS);
        to.party.expectReceived(WcStatus.SUCCESS);
        send(DatagramEngine.MAX_DATAGRAM + 1);
        from.party.expectSent(WcStatus.LOC_LEN_ERR);
    }

    @Test
    void datagramsAreChargedAndHaveTurns() {
        ready();
        int before = shares.wqes[0];
        for (int i = 0; i < 5; i++) {
            from.send(10, way, 2, to.qpn, QKEY);
        }
        rounds();
        assertTrue(shares.wqes[0] - before >= 5, "charged=" + (shares.wqes[0] - before));
    }

    @Test
    void aDatagramQpHasNoPeerAndAnotherIsNeverReady() {
        assertThrows(RefusedException.class,
                () -> worker.connect(from.party.device, from.qpn, to.party.device, to.party.qpn));
        assertThrows(RefusedException.class,
                () -> worker.connect(from.party.device, from.party.qpn, to.party.device, to.qpn));
        assertThrows(RefusedException.class, () -> from.party.device.ready(from.party.qpn));
        from.party.device.ready(from.qpn);
        assertThrows(RefusedException.class, () -> from.party.device.ready(from.qpn));
    }

    @Test
    void aRingIsBelievedWithinItself() {
        ready();
        from.party.device.ring(from.qpn, SEND_BLOCKS + 1);
        rounds();
        assertEquals(QueuePairState.ERR, from.state());
    }
}
