package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerTalk;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/**
 * Makes lanes, and sees when their peers are gone: a thread of its own, as it waits for the network. Who dialled the
 * link draws a key for each new set of lanes, tells it by the link, and dials when the other router has it.
 */
final class LaneMaker implements Runnable, AutoCloseable {

    private static final byte KEY = 1;
    private static final byte HAVE_KEY = 2;
    private static final byte RENEW = 3;
    private static final long TICK_NS = 50_000_000;
    private static final long DIAL_NS = 1_000_000_000L;
    private static final long FIRST_RETRY_NS = 20_000_000;
    private static final long LAST_RETRY_NS = 2_000_000_000L;
    private static final long COMPLETE_NS = 4_000_000_000L;
    private static final long END_MS = 10_000;
    private static final SparseLog LOG = SparseLog.of(LaneMaker.class);

    private final LanePath path;
    private final String host;
    private final Device device;
    private final PeerTalk talk;
    private final boolean seals;
    private final EventChannel channel;
    private final Listener listener;
    private final SecureRandom random = new SecureRandom();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Map<String, Making> links = new HashMap<>();
    private final Set<LaneSet> living = new HashSet<>();
    private final Thread thread = new Thread(this, "jvrpc-router-lanes");
    private volatile boolean closed;

    /** What is being made for a link. */
    private static final class Making {

        private final Pair pair;
        private byte[] key;
        private LaneSet lanes;
        private int connected;
        private long untilNs;
        private long retryNs = FIRST_RETRY_NS;
        private boolean made;
        /** Null unless it is made, with QPs beside the lanes. */
        private Renewal renewal;

        private Making(Pair pair) {
            this.pair = pair;
        }

        private boolean dials() {
            return pair.peer().dials();
        }
    }

    LaneMaker(LanePath path, String host, Device device, String address, boolean seals, PeerTalk talk) {
        this.path = path;
        this.host = host;
        this.device = device;
        this.talk = talk;
        this.seals = seals;
        this.channel = device.createChannel();
        this.listener = device.listen(address, channel);
        thread.setDaemon(true);
    }

    String address() {
        return listener.address();
    }

    void start() {
        thread.start();
    }

    private void task(Runnable task) {
        tasks.add(task);
        channel.wakeup();
    }

    /** Any thread, as all that follows. */
    void up(Pair pair) {
        task(() -> {
            Making making = new Making(pair);
            drop(links.put(pair.peer().host(), making));
            if (making.dials()) {
                offer(making);
            }
        });
    }

    void down(Pair pair, LaneSet lost) {
        task(() -> {
            Making making = links.get(pair.peer().host());
            if (making != null && making.pair == pair) {
                links.remove(pair.peer().host());
                drop(making);
            }
            close(lost);
        });
    }

    /** The worker has let go of lanes. */
    void lost(LaneSet lanes) {
        task(() -> {
            close(lanes);
            Making making = links.get(lanes.pair().peer().host());
            if (making != null && making.pair == lanes.pair() && making.made) {
                making.made = false;
                later(making);
            }
        });
    }

    void message(Peer peer, byte[] body) {
        task(() -> {
            Making making = links.get(peer.host());
            if (making == null || !making.pair.peer().equals(peer) || body.length == 0) {
                return;
            }
            if (body[0] == KEY && body.length == 2 + LaneProof.KEY_BYTES && !making.dials()) {
                begin(making, body[1] == 1, ByteBuffer.wrap(body, 2, LaneProof.KEY_BYTES).slice());
            } else if (body[0] == HAVE_KEY && body.length == 1 + Long.BYTES && making.dials() && making.key != null
                    && !making.made && ByteBuffer.wrap(body).getLong(1) == LaneProof.name(making.key)) {
                dial(making);
            } else if (body[0] == RENEW && body.length == 2 && making.dials() && making.made
                    && making.renewal != null && body[1] >= 0 && body[1] < Bulk.QPS) {
                making.renewal.ask(body[1]);
            } else {
                LOG.warn(peer.host(), "host={} says what means nothing now: kind={} bytes={}", peer.host(), body[0],
                        body.length);
            }
        });
    }

    private void begin(Making making, boolean sealed, ByteBuffer key) {
        if (sealed != seals) {
            LOG.error(making.pair.peer().host(), "host={} seals what it sends: {}, and this router: {}; there is no way"
                    + " to it", making.pair.peer().host(), sealed, seals);
            return;
        }
        making.key = new byte[LaneProof.KEY_BYTES];
        key.get(making.key);
        fresh(making);
        byte[] answer = ByteBuffer.allocate(1 + Long.BYTES).put(HAVE_KEY).putLong(LaneProof.name(making.key)).array();
        talk.send(making.pair.peer().host(), answer);
    }

    /** Makes a set that is not connected; one that was not complete is dropped. */
    private void fresh(Making making) {
        if (making.made) {
            path.gone(making.lanes); // the peer begins anew
            making.made = false;
        } else {
            drop(making);
        }
        making.connected = 0;
        making.lanes = new LaneSet(making.pair, device, path.events(), path, seals ? making.key : null,
                seals ? null : path.adopted());
        living.add(making.lanes);
    }

    private void offer(Making making) {
        making.key = new byte[LaneProof.KEY_BYTES];
        random.nextBytes(making.key);
        making.untilNs = System.nanoTime() + COMPLETE_NS;
        byte[] body = ByteBuffer.allocate(2 + LaneProof.KEY_BYTES).put(KEY).put((byte) (seals ? 1 : 0))
                .put(making.key).array();
        if (!talk.send(making.pair.peer().host(), body)) {
            later(making);
        }
    }

    private void later(Making making) {
        making.untilNs = System.nanoTime() + making.retryNs;
        making.retryNs = Math.min(LAST_RETRY_NS, 2 * making.retryNs);
        making.key = null;
    }

    private void dial(Making making) {
        Peer peer = making.pair.peer();
        try {
            fresh(making);
            for (int i = 0; i < making.lanes.qps(); i++) {
                byte[] proof = LaneProof.of(making.key, i, 0, true, host, peer.host());
                Connection made = device.connect(peer.data(), making.lanes.qp(i), proof, channel, DIAL_NS);
                making.lanes.connected(i, made);
                if (!LaneProof.equal(LaneProof.of(making.key, i, 0, false, host, peer.host()), made.privateData())) {
                    throw new VerbsException("connect", "whoever answers at address=" + peer.data()
                            + " has not the key of lane=" + i);
                }
            }
            complete(making);
        } catch (RuntimeException e) {
            LOG.warn(peer.host(), "lanes to host={} address={}: {}", peer.host(), peer.data(), e.toString());
            drop(making);
            later(making);
        }
    }

    private void complete(Making making) {
        making.made = true;
        making.retryNs = FIRST_RETRY_NS;
        making.renewal = making.lanes.bulk() == null ? null : new Renewal(making.lanes.bulk(), System.nanoTime());
        path.made(making.lanes);
    }

    /** Makes a QP beside the lanes anew, or asks who dialled them to. */
    private void renew(Making making, int qp) {
        String peer = making.pair.peer().host();
        if (!making.dials()) {
            talk.send(peer, new byte[] {RENEW, (byte) qp});
            return;
        }
        int generation = making.renewal.next();
        int number = LaneSet.LANES + qp;
        renew(making, qp, spare -> {
            Connection made = device.connect(making.pair.peer().data(), spare,
                    LaneProof.of(making.key, number, generation, true, host, peer), channel, DIAL_NS);
            if (!LaneProof.equal(LaneProof.of(making.key, number, generation, false, host, peer), made.privateData())) {
                made.close();
                throw new VerbsException("connect", "whoever answers has not the key");
            }
            return made;
        });
    }

    private void renew(Making making, int qp, Function<QueuePair, Connection> connect) {
        Bulk bulk = making.lanes.bulk();
        try {
            bulk.spareConnected(qp, connect.apply(bulk.spare(qp)));
            making.renewal.ended(true);
            path.renewed(making.lanes, qp);
        } catch (RuntimeException e) {
            LOG.warn(making.pair.peer().host(), "a QP beside the lanes to host={} cannot be made anew: {}",
                    making.pair.peer().host(), e.toString());
            bulk.dropSpare(qp);
            making.renewal.ended(false);
        }
    }

    /** The worker has a QP that was made anew. */
    void renewed(LaneSet lanes, int qp) {
        task(() -> {
            if (living.contains(lanes)) {
                lanes.bulk().closeOld(qp);
            }
        });
    }

    private void drop(Making making) {
        if (making != null && !making.made && making.lanes != null) {
            close(making.lanes);
            making.lanes = null;
        }
    }

    private void close(LaneSet lanes) {
        if (lanes != null && living.remove(lanes)) {
            try {
                lanes.close();
            } catch (RuntimeException e) {
                LOG.warn(lanes.pair().peer().host(), "lanes to host={} do not close: {}", lanes.pair().peer().host(),
                        e.toString());
            }
        }
    }

    private void accept(ConnectionRequest request) {
        byte[] proof = request.privateData();
        for (Making making : links.values()) {
            int lane = making.dials() || making.key == null ? -1 : LaneProof.lane(proof, making.key);
            if (lane >= 0 && isNext(making, lane) && LaneProof.equal(LaneProof.of(making.key, lane,
                    LaneProof.generation(proof), true, making.pair.peer().host(), host), proof)) {
                accept(request, making, lane, LaneProof.generation(proof));
                return;
            }
        }
        LOG.warn("strangers", "a lane is refused that proves nothing: from={}", request.peer());
        request.reject(new byte[0]);
    }

    private static boolean isNext(Making making, int lane) {
        return lane < making.lanes.qps() && (making.made ? lane >= LaneSet.LANES
                && !making.lanes.bulk().isRenewed(lane - LaneSet.LANES) : lane == making.connected);
    }

    private void accept(ConnectionRequest request, Making making, int number, int generation) {
        byte[] answer = LaneProof.of(making.key, number, generation, false, making.pair.peer().host(), host);
        LaneSet lanes = making.lanes;
        if (making.made ? !making.renewal.accept(generation) : generation != 0) {
            request.reject(new byte[0]);
            return;
        }
        if (making.made) {
            renew(making, number - LaneSet.LANES, qp -> request.accept(qp, answer, channel));
            return;
        }
        try {
            lanes.connected(number, request.accept(lanes.qp(number), answer, channel));
            if (++making.connected == lanes.qps()) {
                complete(making);
            }
        } catch (RuntimeException e) {
            LOG.warn(making.pair.peer().host(), "lane={} from host={}: {}", number, making.pair.peer().host(),
                    e.toString());
        }
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                channel.await(TICK_NS);
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                for (ConnectionRequest one = listener.poll(); one != null; one = listener.poll()) {
                    accept(one);
                }
                look(System.nanoTime());
            } catch (RuntimeException e) {
                LOG.error("all", "making lanes: ", e);
            }
        }
    }

    private void look(long nowNs) {
        List<Making> late = new ArrayList<>();
        List<Making> made = new ArrayList<>();
        for (Making making : links.values()) {
            if (making.made && !making.lanes.isConnected()) {
                path.gone(making.lanes);
            } else if (making.made && making.renewal != null) {
                made.add(making);
            } else if (!making.made && making.dials() && making.untilNs - nowNs < 0) {
                late.add(making);
            }
        }
        late.forEach(this::offer);
        for (Making making : made) {
            int qp = making.renewal.due(nowNs);
            if (qp >= 0) {
                renew(making, qp);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        channel.wakeup();
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        new ArrayList<>(living).forEach(this::close);
        listener.close();
        device.close();
    }
}
