package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.DatagramWay;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.softrnic.queue.GatherList;

/** What another router may send as datagrams that are none, or not for whom it says. */
final class HostileDatagramsTest {

    private static final int OWN = 7;
    private static final int PEER = 70;
    private static final long EPOCH = 0x123456789abcdefL;
    private static final int MESSAGES = 100_000;

    private final Pair pair = new Pair(new Peer("west", 1, "", true), null);
    private final Datagrams datagrams = new Datagrams();
    private final ByteBuffer message = ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int arrived;

    private final DatagramWay.End end = (from, at, bytes, hasImmediate, immediate, sourceQp, qp, qkey) -> {
        assertTrue(bytes >= 0 && bytes <= Datagrams.MOST_BYTES && at + bytes <= from.capacity(), "bytes=" + bytes);
        assertEquals(sourceQp & 0xffffff, sourceQp);
        arrived++;
    };

    private DatagramWay open(DatagramWay.End to) {
        return datagrams.begin(new RemoteConnection("west", 1, OWN, PEER, EPOCH), pair, to);
    }

    private void datagram(int bytes) {
        LaneHeader.begin(message, 0, LaneHeader.DATAGRAM, OWN, PEER, EPOCH, 0);
        LaneHeader.opcode(message, 0, Wqe.SEND);
        LaneHeader.remote(message, 0, 5L << 32 | 9, 3);
        LaneHeader.length(message, 0, bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void onlyWhatIsOfTheWayIsDeliveredWhateverComes(long seed) {
        Random random = new Random(seed);
        open(end);
        for (int i = 0; i < MESSAGES; i++) {
            datagram(random.nextInt(6000));
            if (random.nextBoolean()) {
                int at = 4 * random.nextInt(16);
                message.putInt(at, random.nextBoolean() ? random.nextInt() : message.getInt(at) + 1);
            }
            int length = LaneHeader.length(message, 0);
            boolean ours = LaneHeader.destination(message, 0) == OWN && LaneHeader.source(message, 0) == PEER
                    && LaneHeader.epoch(message, 0) == EPOCH;
            int before = arrived;
            boolean sense = length >= 0 && Datagrams.isOne(message, 0, length);
            boolean taken = sense && datagrams.take(pair, message, 0, length);
            assertEquals(sense && ours, taken, "message=" + i + " seed=" + seed);
            assertEquals(taken ? 1 : 0, arrived - before, "message=" + i + " seed=" + seed);
        }
        assertTrue(arrived > MESSAGES / 4, "arrived=" + arrived);
    }

    @Test
    void nothingComesByAWayThatOnlyLeadsAway() {
        open(null);
        datagram(8);
        assertFalse(datagrams.take(pair, message, 0, 8));
    }

    @Test
    void nothingComesByAWayOfAnotherRouterOrOneThatHasEnded() {
        DatagramWay way = open(end);
        datagram(8);
        assertFalse(datagrams.take(new Pair(new Peer("north", 2, "", true), null), message, 0, 8));
        assertTrue(datagrams.take(pair, message, 0, 8));
        way.end();
        way.end();
        assertFalse(datagrams.take(pair, message, 0, 8));
        assertEquals(1, arrived);
    }

    @Test
    void aNumberIsOfOneWayAtATime() {
        DatagramWay first = open(end);
        assertEquals(Refusal.BUSY, assertThrows(RefusedException.class, () -> open(end)).refusal());
        first.end();
        open(end);
        first.end(); // its number is another's
        datagram(8);
        assertTrue(datagrams.take(pair, message, 0, 8));
    }

    @Test
    void whatGoesWhileThereAreNoLanesIsDropped() {
        assertFalse(open(null).send(new GatherList(), false, 0, 1, 2, 3));
    }
}
