package org.jvrpc.router.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.Spin;
import org.jvrpc.router.lane.LanePath;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerTalk;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Devices;

/**
 * Two workers on two addresses of this machine with lanes between them, and a link that is a call. The caller's thread
 * does what the workers' would.
 */
final class TwoHosts implements AutoCloseable {

    private static final AtomicLong EPOCHS = new AtomicLong(System.nanoTime());

    final End east;
    final End west;
    private int connections;

    /** One of the two. */
    static final class End implements PeerTalk {

        final String host;
        /** A tenant's memory whose file was cut; null for none. */
        Slab cut;
        final Worker worker = new Worker(new EqualShares(), Spin.ADAPTIVE, this::isWhole, System::nanoTime);
        final LanePath path;
        /** How the other one is known here. */
        Peer other;
        private End there;
        /** Nothing gets through the link. */
        volatile boolean deaf;

        private End(String host, String address, boolean seals) {
            this.host = host;
            this.path = new LanePath(host, Devices.open(address), address, seals, this);
            worker.path(path);
        }

        private boolean isWhole(Slab slab) {
            return slab != cut;
        }

        @Override
        public boolean send(String to, byte[] body) {
            if (deaf) {
                return false;
            }
            there.path.message(there.other, body);
            return true;
        }
    }

    /** @param seals what goes between them is sealed */
    TwoHosts(boolean seals) {
        this(seals, "roce://127.0.0.1:0", "roce://127.0.0.2:0");
    }

    /** With other devices below. @param eastern the address of the east's @param western that of the other */
    TwoHosts(boolean seals, String eastern, String western) {
        east = new End("east", eastern, seals);
        west = new End("west", western, seals);
        east.there = west;
        west.there = east;
        east.other = new Peer("west", 22, west.path.address(), true);
        west.other = new Peer("east", 11, east.path.address(), false);
        up();
    }

    void up() {
        west.path.up(west.other);
        east.path.up(east.other);
        rounds();
    }

    void down() {
        west.path.down(west.other, "test");
        east.path.down(east.other, "test");
        rounds();
    }

    /** Goes on until both have nothing to do at once. */
    void rounds() {
        while (round()) {
            Thread.onSpinWait();
        }
    }

    private boolean round() {
        return round(east.worker) | round(west.worker);
    }

    /** Has one of them do what it can while the other does nothing. */
    static void roundsOf(End end) {
        while (round(end.worker)) {
            Thread.onSpinWait();
        }
    }

    private static boolean round(Worker worker) {
        try {
            return worker.round(System.nanoTime());
        } catch (InternalError e) {
            worker.missing().vanished(null, e); // as the worker's thread does
            return true;
        }
    }

    /** Goes on until something is so. */
    void until(String what, BooleanSupplier is) {
        Waits.until(what, () -> {
            for (int i = 0; i < 10_000 && !is.getAsBoolean(); i++) {
                round();
            }
            return is.getAsBoolean();
        });
    }

    /** Connects a QP of the east with one of the west. */
    void connect(Party one, Party other) {
        int number = ++connections;
        long epoch = EPOCHS.incrementAndGet();
        connect(east, one, new RemoteConnection("west", 22, number, number + 1000, epoch));
        connect(west, other, new RemoteConnection("east", 11, number + 1000, number, epoch));
    }

    /** As {@link #connect(Party, Party)}, but the west has another epoch. */
    void connectApart(Party one, Party other) {
        int number = ++connections;
        long epoch = EPOCHS.addAndGet(2);
        connect(east, one, new RemoteConnection("west", 22, number, number + 1000, epoch));
        connect(west, other, new RemoteConnection("east", 11, number + 1000, number, epoch - 1));
    }

    static void connect(End at, Party party, RemoteConnection to) {
        at.worker.connect(party.device, party.qpn, to);
    }

    @Override
    public void close() {
        down();
        east.path.close();
        west.path.close();
    }
}
