package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.router.DatagramWay;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerTalk;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;

/**
 * The way to other hosts by lanes on a device below. What {@link PeerTalk.Lanes} offers is for any thread; the rest is
 * the worker's.
 */
public final class LanePath implements RemotePath, PeerTalk.Lanes, LaneSet.Strays, AutoCloseable {

    private static final int MOST = 65_535;

    private final LaneEvents events;
    private final LaneMaker maker;
    private final Adopted adopted;
    private final Map<String, Pair> pairs = new HashMap<>();
    private final List<Pair> polled = new ArrayList<>();
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final AtomicLong strays = new AtomicLong();
    private final Datagrams datagrams = new Datagrams();
    private final Set<String> reached = ConcurrentHashMap.newKeySet();
    private RemoteQp[] qps = new RemoteQp[64];

    /**
     * Listens for other routers' lanes from now on.
     *
     * @param host name of this host in the control plane
     * @param device below, which is closed with this
     * @param address of the device, which other routers find in the control plane
     * @param seals what goes to other routers is encrypted and proven; all of them must have it so
     * @param talk to other routers, by links that nobody can read or change
     * @throws org.jvrpc.verbs.VerbsException when the address cannot be had
     */
    public LanePath(String host, Device device, String address, boolean seals, PeerTalk talk) {
        this.events = new LaneEvents(device);
        this.adopted = new Adopted(device);
        this.maker = new LaneMaker(this, host, device, address, seals, talk);
        events.start();
        maker.start();
    }

    Adopted adopted() {
        return adopted;
    }

    /** Returns how many bytes came from another host without a copy. Any thread. */
    public long directBytes() {
        return adopted.moved();
    }

    EventChannel events() {
        return events.channel();
    }

    /** Returns where other routers reach it, with the port that was taken. Any thread. */
    public String address() {
        return maker.address();
    }

    /** Has the worker do something. Any thread. */
    void run(Runnable job) {
        jobs.add(job);
        events.tellNow();
    }

    // What links tell.

    @Override
    public void up(Peer peer) {
        Pair pair = new Pair(peer, this);
        maker.up(pair); // at once: what the peer says is for it
        run(() -> {
            Pair before = pairs.put(peer.host(), pair);
            polled.add(pair);
            if (before != null) {
                end(before);
            }
        });
    }

    @Override
    public void down(Peer peer, String why) {
        run(() -> {
            Pair pair = pairs.get(peer.host());
            if (pair != null && pair.peer().equals(peer)) {
                pairs.remove(peer.host());
                end(pair);
            }
        });
    }

    private void end(Pair pair) {
        polled.remove(pair);
        LaneSet lost = lose(pair);
        maker.down(pair, lost);
    }

    private LaneSet lose(Pair pair) {
        reached.remove(pair.peer().host());
        return pair.lose();
    }

    @Override
    public void message(Peer peer, byte[] body) {
        maker.message(peer, body);
    }

    // What the maker tells.

    void made(LaneSet lanes) {
        run(() -> {
            Pair pair = lanes.pair();
            if (pairs.get(pair.peer().host()) == pair && pair.lanes() == null) {
                pair.up(lanes);
                reached.add(pair.peer().host());
            } else {
                maker.lost(lanes);
            }
        });
    }

    /** A QP beside lanes was made anew. */
    void renewed(LaneSet lanes, int qp) {
        run(() -> {
            if (lanes.pair().lanes() == lanes) {
                lanes.bulk().renew(qp);
                maker.renewed(lanes, qp);
            }
        });
    }

    /** The peer of lanes is gone. */
    void gone(LaneSet lanes) {
        run(() -> {
            if (lanes.pair().lanes() == lanes) {
                maker.lost(lose(lanes.pair()));
            }
        });
    }

    // The engine's.

    private Pair pair(RemoteConnection to) {
        runJobs(); // the peer may have come just now
        Pair pair = pairs.get(to.host());
        if (pair == null || pair.peer().incarnation() != to.incarnation()) {
            throw new RefusedException(Refusal.PEER_ROUTER, "there is no way to host=" + to.host());
        }
        return pair;
    }

    @Override
    public DatagramWay open(RemoteConnection to, DatagramWay.End end) {
        return datagrams.begin(to, pair(to), end);
    }

    @Override
    public boolean datagram(Pair from, ByteBuffer m, int at, int length) {
        return datagrams.take(from, m, at, length);
    }

    @Override
    public boolean reaches(String host) {
        return reached.contains(host);
    }

    @Override
    public Way begin(RemoteConnection to, Local end) {
        Pair pair = pair(to);
        if (to.own() < 1 || to.own() > MOST || to.own() < qps.length && qps[to.own()] != null) {
            throw new RefusedException(Refusal.BUSY, "connection number=" + to.own() + " is taken, or none");
        }
        if (to.own() >= qps.length) {
            qps = Arrays.copyOf(qps, Math.max(2 * qps.length, to.own() + 1));
        }
        RemoteQp qp = pair.begin(to, end);
        qps[to.own()] = qp;
        return qp;
    }

    void forget(RemoteQp qp) {
        qps[qp.to().own()] = null;
    }

    @Override
    public RemoteQp find(int number, int peer, long epoch) {
        RemoteQp qp = number > 0 && number < qps.length ? qps[number] : null;
        return qp != null && qp.to().epoch() == epoch && qp.to().peer() == peer ? qp : null;
    }

    @Override
    public void stray() {
        strays.incrementAndGet();
    }

    /** Returns how many messages were dropped as they were of no connection, or of an ended one. Any thread. */
    public long strays() {
        return strays.get();
    }

    @Override
    public void revoke(Slab slab, long address, long length) {
        for (int i = 0; i < polled.size(); i++) {
            LaneSet lanes = polled.get(i).lanes();
            if (lanes != null && lanes.bulk() != null) {
                lanes.bulk().revoke(slab, address, length);
            }
        }
    }

    @Override
    public void forget(Slab slab) {
        revoke(slab, slab.base(), slab.length());
        adopted.forget(slab);
    }

    private int runJobs() {
        int count = 0;
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
            count++;
        }
        return count;
    }

    @Override
    public int poll(long nowNs) {
        int count = runJobs();
        for (int i = polled.size() - 1; i >= 0; i--) {
            Pair pair = polled.get(i);
            int some = pair.poll(nowNs);
            if (some < 0) {
                maker.lost(lose(pair));
            } else {
                count += some;
            }
        }
        return count;
    }

    @Override
    public boolean isBusy(long nowNs) {
        boolean busy = false;
        for (int i = 0; i < polled.size() && !busy; i++) {
            busy = polled.get(i).isBusy(nowNs);
        }
        return busy;
    }

    @Override
    public long nextNs(long nowNs) {
        long next = Long.MAX_VALUE;
        for (int i = 0; i < polled.size(); i++) {
            next = Math.min(next, polled.get(i).nextNs(nowNs));
        }
        return next;
    }

    @Override
    public boolean mayRest(Runnable waker) {
        events.tell(waker);
        for (int i = 0; i < polled.size(); i++) {
            if (polled.get(i).lanes() != null) {
                polled.get(i).lanes().arm();
            }
        }
        return poll(System.nanoTime()) == 0 && jobs.isEmpty();
    }

    /** Ends all lanes; their connections must have ended. The worker has ended, too. Idempotent. */
    @Override
    public void close() {
        events.close(); // the channel ends with its device
        maker.close();
    }
}
