package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerTalk;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** QPs beside the lanes that break, and are made anew. The test's thread is both workers'. */
class RenewalTest {

    private static final int BYTES = 64 << 10;
    private static final int NO_KEY = 0x12345;

    private final End east = new End("east", "roce://127.0.0.1:0", 1);
    private final End west = new End("west", "roce://127.0.0.2:0", 2);

    /** A host's way to the other one. */
    private static final class End implements PeerTalk {

        final String host;
        final LanePath path;
        final Slab slab;
        final MemoryRange range = new MemoryRange();
        Peer other;
        End there;
        Pair pair;

        End(String host, String address, int segment) {
            this.host = host;
            Device device = Devices.open(address);
            path = new LanePath(host, device, address, false, this);
            slab = Slab.wrap(ByteBuffer.allocateDirect(BYTES), segment);
            range.set(slab, slab.base());
        }

        @Override
        public boolean send(String to, byte[] body) {
            there.path.message(there.other, body);
            return true;
        }

        Bulk bulk() {
            return pair.lanes().bulk();
        }
    }

    /** Who waits for a READ. */
    private static final class Reader implements Bulk.Owner {

        private final Holder holder = new Holder();
        private Boolean came;

        @Override
        public Holder holder() {
            return holder;
        }

        @Override
        public void ended(boolean all) {
            came = all;
        }

        @Override
        public void revoked() {
            throw new AssertionError("nothing was taken back");
        }
    }

    @BeforeEach
    void up() {
        east.there = west;
        west.there = east;
        east.other = new Peer("west", 22, west.path.address(), true);
        west.other = new Peer("east", 11, east.path.address(), false);
        west.path.up(west.other);
        east.path.up(east.other);
        until("lanes", () -> east.path.reaches("west") && west.path.reaches("east"));
        east.pair = pair(east, new RemoteConnection("west", 22, 1, 1, 5));
        west.pair = pair(west, new RemoteConnection("east", 11, 1, 1, 5));
    }

    private static Pair pair(End end, RemoteConnection to) {
        return ((RemoteQp) end.path.begin(to, new Watched(new Random(1)))).pair();
    }

    @AfterEach
    void close() {
        east.path.down(east.other, "test");
        west.path.down(west.other, "test");
        poll();
        east.path.close();
        west.path.close();
    }

    private void poll() {
        east.path.poll(System.nanoTime());
        west.path.poll(System.nanoTime());
    }

    private void until(String what, BooleanSupplier is) {
        Waits.until(what, () -> {
            poll();
            return is.getAsBoolean();
        });
    }

    /** Reads from the other one's memory, or by a key that nobody has: which breaks a QP. Tells whether it came. */
    private boolean read(End at, boolean good) {
        Bulk.Transfer offered = new Bulk.Transfer(new Reader());
        assertTrue(at.there.bulk().open(offered, at.there.range, BYTES, Access.REMOTE_READ));
        Reader reader = new Reader();
        Bulk.Transfer wanted = new Bulk.Transfer(reader);
        assertTrue(at.bulk().open(wanted, at.range, BYTES, Access.LOCAL_WRITE));
        at.bulk().read(wanted, offered.remoteAddress(), good ? offered.remoteKey() : NO_KEY);
        until("the READ to end", () -> reader.came != null);
        at.there.bulk().close(offered, false);
        return reader.came;
    }

    private static boolean hasQp(End end) {
        return end.bulk().mayOpen(new Holder());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatBreaksIsMadeAnewWhoeverFindsItBroken(boolean dials) {
        End end = dials ? east : west;
        LaneSet lanes = end.pair.lanes();
        for (int i = 0; i < 40 && hasQp(end); i++) {
            assertFalse(read(end, false));
        }
        until("all to be made anew", () -> end.bulk().broken() == 0);
        end.there.slab.window(end.there.slab.base()).put(7, (byte) 5);
        boolean came = false;
        for (int i = 0; i < Bulk.QPS && !came; i++) { // this end may hear just now that its peer broke some
            until("a QP", () -> hasQp(end));
            came = read(end, true);
        }
        assertTrue(came);
        assertEquals(5, end.slab.window(end.slab.base()).get(7));
        assertEquals(lanes, end.pair.lanes(), "the lanes went on");
    }

    @Test
    void atMostOneASecondIsMadeAnewAndFewerWhenItIsInVain() {
        Renewal renewal = new Renewal(east.bulk(), 0);
        for (int i = 0; i < Bulk.QPS; i++) {
            renewal.ask(i);
        }
        assertEquals(-1, renewal.due(Renewal.EACH_NS - 1));
        assertEquals(0, renewal.due(Renewal.EACH_NS));
        assertEquals(-1, renewal.due(2 * Renewal.EACH_NS - 1));
        renewal.ended(false);
        assertEquals(1, renewal.due(2 * Renewal.EACH_NS));
        assertEquals(-1, renewal.due(4 * Renewal.EACH_NS - 1), "one was in vain");
        renewal.ended(true);
        assertEquals(2, renewal.due(4 * Renewal.EACH_NS));
        assertEquals(3, renewal.due(5 * Renewal.EACH_NS));
        assertEquals(-1, renewal.due(60 * Renewal.EACH_NS), "none is broken");
    }

    @Test
    void noGenerationCountsTwice() {
        Renewal renewal = new Renewal(west.bulk(), 0);
        assertFalse(renewal.accept(0), "that of the first ones");
        assertTrue(renewal.accept(3));
        assertFalse(renewal.accept(3));
        assertFalse(renewal.accept(2));
        assertTrue(renewal.accept(4));
    }
}
