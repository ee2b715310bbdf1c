package org.jvrpc.watch.rperf.verbs;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.watch.PairPort;
import org.jvrpc.watch.StampSource;

/**
 * Pairs from a device to a {@link PairSink}: RC QPs to the peer, and as many to QPs of the device itself. Times are
 * read by software, as a completion is polled. Pairs take the QPs in turn. One thread.
 */
public final class VerbsPairs implements PairPort {

    public static final int MOST_QPS = 64;

    private static final long CONNECT_NS = 5_000_000_000L;
    private static final long RNR_NS = 10_000;

    private final Device device;
    private final EventChannel channel;
    private final ProtectionDomain pd;
    private final MemoryRegion memory;
    private final CompletionQueue wireCq;
    private final CompletionQueue loopCq;
    private final CompletionQueue unused;
    private final CompletionQueue arrivals;
    private final Lane[] lanes;
    private final List<Connection> connections = new ArrayList<>();
    private final WorkCompletion wc = new WorkCompletion();
    private final int slots;
    private String noLoopback;
    private int turn;
    private boolean loopbackNext;

    /** A QP to the peer, and one to the device itself. */
    private static final class Lane {
        private PostSend wire;
        private PostSend loop;
        private Receives receives;
    }

    /**
     * What is to be opened.
     *
     * @param to the sink's address
     * @param qps 1 to {@value #MOST_QPS}
     * @param slots pairs that may be under way
     * @param bytes of the longest message
     * @param loopback false: messages over the wire alone, for bandwidth
     * @param services what packets ask for, taken by the QPs in turn: one to as many as there are QPs
     */
    public record Plan(String to, int qps, int slots, int bytes, boolean loopback, List<ServiceClass> services) {

        /** One whose packets ask for nothing. */
        public Plan(String to, int qps, int slots, int bytes, boolean loopback) {
            this(to, qps, slots, bytes, loopback, List.of(ServiceClass.DEFAULT));
        }

        /** Checks the values. */
        public Plan {
            if (qps < 1 || qps > MOST_QPS) {
                throw new IllegalArgumentException("qps must be 1 to " + MOST_QPS + ", qps=" + qps);
            }
            if (services.isEmpty() || services.size() > qps) {
                throw new IllegalArgumentException(
                        "services must be 1 to as many as QPs, services=" + services + " qps=" + qps);
            }
            services = List.copyOf(services);
        }
    }

    /** Opens the device that leads to the peer, and connects. @throws VerbsException when that fails */
    public static VerbsPairs open(Plan plan) {
        if (plan.to().startsWith("shm:") && !plan.services().stream().allMatch(ServiceClass::isDefault)) {
            throw new VerbsException("connect", "service levels mean nothing at " + plan.to()
                    + ": what is sent within a host passes no switch");
        }
        Device device = Devices.open(withLoopback(plan.to()));
        try {
            return new VerbsPairs(device, plan);
        } catch (RuntimeException | Error e) {
            device.close();
            throw e;
        }
    }

    /** What a software RNIC sends to itself leaves it as little as it leaves a card. */
    static String withLoopback(String address) {
        return !address.startsWith("roce://") || address.contains("loopback=") ? address
                : address + (address.contains("?") ? "&" : "?") + "loopback=inside";
    }

    private VerbsPairs(Device device, Plan plan) {
        this.device = device;
        slots = plan.slots();
        channel = device.createChannel();
        pd = device.allocatePd();
        memory = pd.allocate(Math.max(1, plan.bytes()), Access.LOCAL_WRITE);
        wireCq = device.createCq(CompletionQueueAttributes.ofDepth(slots));
        loopCq = device.createCq(CompletionQueueAttributes.ofDepth(slots));
        unused = device.createCq(CompletionQueueAttributes.ofDepth(1));
        arrivals = device.createCq(CompletionQueueAttributes.ofDepth(plan.qps() * Receives.DEPTH));
        lanes = new Lane[plan.qps()];
        noLoopback = plan.loopback() ? null : "only what goes over the wire was asked for";
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane();
            connect(lanes[i], plan, plan.services().get(i % plan.services().size()));
        }
    }

    private void connect(Lane lane, Plan plan, ServiceClass service) {
        SendRequest request = SendRequest.send(0, Sge.of(memory, 0, plan.bytes())).signalled();
        QueuePair qp = sender(wireCq, service);
        byte[] greeting = Greeting.of(plan.bytes(), service).encode();
        connections.add(device.connect(plan.to(), qp, greeting, channel, CONNECT_NS));
        lane.wire = qp.prepareSend(request);
        if (noLoopback != null) {
            return;
        }
        try {
            lane.receives = new Receives(pd, unused, arrivals, memory, plan.bytes(), service);
            QueuePair own = sender(loopCq, service);
            own.connect(lane.receives.qp.endpoint());
            lane.receives.qp.connect(own.endpoint());
            lane.loop = own.prepareSend(request);
        } catch (VerbsException e) {
            noLoopback = "no QP of " + device.name() + " can be connected to another of it: " + e.getMessage();
        }
    }

    private QueuePair sender(CompletionQueue cq, ServiceClass service) {
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, unused).depth(slots, 1)
                .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, RNR_NS).serviceClass(service));
        qp.init();
        return qp;
    }

    @Override
    public int slots() {
        return slots;
    }

    @Override
    public boolean hasLoopback() {
        return noLoopback == null;
    }

    @Override
    public String noLoopback() {
        return noLoopback;
    }

    @Override
    public StampSource stamps() {
        return StampSource.SOFTWARE;
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public boolean post(int slot, int bytes, boolean loopbackFirst) {
        Lane lane = lanes[turn];
        if (noLoopback != null) {
            if (!post(lane.wire, slot, bytes)) {
                return false;
            }
        } else {
            if (!post(loopbackFirst ? lane.loop : lane.wire, slot, bytes)) {
                return false;
            }
            if (!post(loopbackFirst ? lane.wire : lane.loop, slot, bytes)) {
                throw new VerbsException("post_send", "a send queue of " + slots + " is full with fewer under way");
            }
        }
        turn = turn + 1 == lanes.length ? 0 : turn + 1;
        return true;
    }

    private static boolean post(PostSend call, int slot, int bytes) {
        return call.wrId(0, slot).length(0, 0, bytes).execute() == 1;
    }

    /** The two CQs take turns at being the first: what came to both before the poll is seen there first. */
    @Override
    public int poll(Completions to) {
        loopbackNext = !loopbackNext;
        int count = 0;
        boolean more = true;
        for (int round = 0; more && round < slots; round++) {
            more = loopbackNext && pollLoopback(to);
            if (wireCq.poll(wc)) {
                to.wire((int) wc.wrId(), wc.status(), System.nanoTime());
                more = true;
            }
            more |= !loopbackNext && pollLoopback(to);
            count += more ? 1 : 0;
        }
        if (noLoopback == null) {
            takeArrivals();
        }
        return count;
    }

    private boolean pollLoopback(Completions to) {
        if (noLoopback != null || !loopCq.poll(wc)) {
            return false;
        }
        to.loopback((int) wc.wrId(), wc.status(), System.nanoTime());
        return true;
    }

    /** Not timed: gives the receives of loopback back. */
    private void takeArrivals() {
        for (int i = 0; i < slots && arrivals.poll(wc); i++) {
            for (Lane lane : lanes) {
                if (lane.receives.qp.number() == wc.qpNumber()) {
                    lane.receives.took();
                    break;
                }
            }
        }
    }

    /** Disconnects, and closes the device. */
    @Override
    public void close() {
        connections.forEach(Connection::close);
        device.close();
    }
}
