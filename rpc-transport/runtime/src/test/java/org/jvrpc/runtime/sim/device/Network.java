package org.jvrpc.runtime.sim.device;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** What joins the devices of a {@link World}, and what goes wrong there. */
public final class Network {

    /** How much later things happen, at times. */
    private static final long[] DELAYS_NS = {0, 3_000, 60_000, 2_000_000, 30_000_000};
    private static final long RETRIES_NS = 20_000_000;
    private static final long NO_ADDRESS = 4096;

    private final World world;
    private final SparePages pages = new SparePages();
    private final Choices.Stream choices;
    private final Map<String, SimListener> listeners = new HashMap<>();
    private final Map<SimQueuePair, SimConnection> connections = new HashMap<>();
    private int keys;
    private long nextAddress = NO_ADDRESS;
    private final Choices.Stream pushes;
    /** True when messages can be delivered at once, as between processes of one host. */
    private final boolean near;
    /** Null: what is sent is delivered by choices. */
    private FabricNetwork fabric;
    private int delayOneIn;
    private int faultOneIn;

    private Network(World world) {
        this.world = world;
        this.choices = world.choices("network");
        this.pushes = world.choices("pushes");
        this.near = pushes.rarely(2);
    }

    /** Returns the network of a world. */
    public static Network of(World world) {
        return world.part(Network.class, Network::new);
    }

    /**
     * Says how often it is late, and how often sends find no room, receivers are not ready and memory is not there.
     *
     * @param delay one in so many; 0 for never
     * @param fault as well
     */
    public void manners(int delay, int fault) {
        delayOneIn = delay;
        faultOneIn = fault;
    }

    /** Has what connects and is sent from now on go over a fabric. */
    void over(FabricNetwork newFabric) {
        fabric = newFabric;
    }

    FabricNetwork fabric() {
        return fabric;
    }

    World world() {
        return world;
    }

    SparePages pages() {
        return pages;
    }

    /** The world is over. */
    public void close() {
        pages.close();
    }

    int newKey() {
        return ++keys;
    }

    long newAddress(long length) {
        long address = nextAddress;
        nextAddress += (length + 63 & -64) + NO_ADDRESS;
        return address;
    }

    private boolean goesWrong() {
        return faultOneIn > 0 && choices.rarely(faultOneIn);
    }

    boolean isFull() {
        return goesWrong();
    }

    /** Returns true when a push is taken: mostly, where it can be. */
    boolean takesPush() {
        return near && fabric == null && !pushes.rarely(4);
    }

    boolean isNotReady() {
        return goesWrong();
    }

    boolean missesArming() {
        return goesWrong();
    }

    boolean refusesMemory() {
        return goesWrong();
    }

    /** Has something happen soon, mostly. */
    void later(long leastNs, Runnable what) {
        long ns = leastNs + (delayOneIn > 0 ? DELAYS_NS[choices.choose(DELAYS_NS.length, delayOneIn)] : 0);
        if (ns == 0) {
            world.soon(what);
        } else {
            world.in(ns, null, what);
        }
    }

    void afterRetries(Runnable what) {
        world.in(RETRIES_NS, null, what);
    }

    // ---- connections

    Listener listen(SimDevice device, String address, SimChannel channel) {
        if (listeners.containsKey(address)) {
            throw new VerbsException("listen", "address is in use: " + address);
        }
        SimListener listener = new SimListener(device, address, channel);
        listeners.put(address, listener);
        device.made(listener);
        if (fabric != null) {
            fabric.listen(device, listener);
        }
        return listener;
    }

    void unlisten(SimListener listener) {
        listeners.remove(listener.address(), listener);
        if (fabric != null) {
            fabric.unlisten(listener);
        }
    }

    Connection connect(SimProcess process, String address, SimQueuePair qp, byte[] privateData, SimChannel channel,
            long timeoutNs) {
        if (qp.state() != QueuePairState.INIT) {
            throw new VerbsException("connect", "qp in " + qp.state());
        }
        if (fabric != null) {
            return fabric.connect(process, address, qp, privateData, channel, timeoutNs);
        }
        SimListener listener = listeners.get(address);
        if (listener == null) {
            qp.error();
            throw new ConnectionException(ConnectionException.Reason.UNREACHABLE, "nobody listens at " + address, null);
        }
        SimRequest request = new SimRequest(process, qp, privateData, channel);
        later(0, () -> {
            if (listeners.get(address) == listener) {
                listener.add(request);
            } else {
                request.drop();
            }
        });
        return request.await(address, timeoutNs);
    }

    void watch(SimQueuePair qp, SimConnection connection) {
        connections.put(qp, connection);
    }

    /** A QP of some living connection fails. */
    public void breakConnection() {
        List<SimQueuePair> alive = connections.keySet().stream().filter(SimQueuePair::isAlive)
                .sorted(Comparator.comparing(SimQueuePair::number)).toList();
        if (!alive.isEmpty()) {
            alive.get(choices.pick(alive.size())).error();
        }
    }

    /** A QP's process is dead, which the system tells its peer. */
    void gone(SimQueuePair qp) {
        SimConnection connection = connections.get(qp);
        if (connection != null) {
            connection.leave();
        }
    }
}
