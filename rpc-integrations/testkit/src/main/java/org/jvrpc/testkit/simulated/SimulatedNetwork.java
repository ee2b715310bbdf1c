package org.jvrpc.testkit.simulated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;

/**
 * Hosts at a switch, in virtual time:
 *
 * <pre>
 * SimulatedNetwork network = SimulatedNetwork.hosts(2).delay(Duration.ofMicros(5)).loss(0.01).seed(7).start();
 * network.serve(1, Orders.class, new OrdersInMemory());
 * Orders orders = network.client(0).stub(1, Orders.class);
 * orders.find(7);                                   // returns when virtual time has come so far
 * network.now();
 * </pre>
 * A call lets time pass until its answer is there, or its deadline; asynchronous ones do when somebody waits for their
 * future, and {@link #run} does. One thread.
 */
public final class SimulatedNetwork {

    private static final int MTU = 1024;
    /** A full packet with all that is around it. */
    private static final long FRAME_BITS = (MTU + 128) * 8L;
    private static final int RETRIES = 7;
    private static final long LEAST_TIMEOUT_NS = 500_000;
    /** Round trips that an acknowledgement may take. */
    private static final int PATIENCE = 4;
    private static final double MOST_HOSTS = 1024;

    private final Thread owner = Thread.currentThread();
    private final Network network;
    private final Topology star;
    private final RcAttributes attributes;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final EventTarget tasks = (kind, task, number) -> ((Runnable) task).run();
    private int connections;
    private volatile RuntimeException trouble;

    private SimulatedNetwork(Builder made) {
        network = new Network(made.seed, true, MTU);
        star = Topology.star(network, new Links(made.bitsPerSecond, made.delayNs / 2, 0, 0), new SwitchSettings(),
                new NicSettings(), Long.BYTES, made.hosts);
        RcAttributes defaults = RcAttributes.defaults().withMtu(MTU);
        long windowNs = defaults.window() * FRAME_BITS * 1_000_000_000L / made.bitsPerSecond;
        long timeoutNs = Math.max(LEAST_TIMEOUT_NS, PATIENCE * 2 * made.delayNs + 2 * windowNs);
        attributes = defaults.withRetries(RETRIES, RETRIES, timeoutNs);
        for (int i = 0; i < made.hosts; i++) {
            hosts.add(new SimulatedHost(this, i));
            loses(i, made.loss);
        }
    }

    /** Begins a network. @param count of hosts, 2 to 1024 */
    public static Builder hosts(int count) {
        if (count < 2 || count > MOST_HOSTS) {
            throw new IllegalArgumentException("a network has 2 to 1024 hosts, not " + count);
        }
        return new Builder(count);
    }

    /** What a network is made with. One thread. */
    public static final class Builder {

        private static final long MOST_DELAY_NS = Duration.ofSeconds(1).toNanos();
        private static final long DELAY_NS = 1_000;
        private static final long BITS_PER_SECOND = 40_000_000_000L;

        private final int hosts;
        private long delayNs = DELAY_NS;
        private long bitsPerSecond = BITS_PER_SECOND;
        private double loss;
        private long seed = 1;

        private Builder(int hosts) {
            this.hosts = hosts;
        }

        /** Sets how long the links between two hosts take, one way, up to 1 s; default 1 us. */
        public Builder delay(Duration oneWay) {
            if (oneWay.isNegative() || oneWay.toNanos() > MOST_DELAY_NS) {
                throw new IllegalArgumentException("a delay is from 0 to 1 s, not " + oneWay);
            }
            delayNs = oneWay.toNanos();
            return this;
        }

        /** Sets the rate of each link, 1 Mb/s to 1 Tb/s; default 40 Gb/s. */
        public Builder bandwidth(long rate) {
            if (rate < 1_000_000 || rate > 1_000_000_000_000L) {
                throw new IllegalArgumentException("a link has 1 Mb/s to 1 Tb/s, bitsPerSecond=" + rate);
            }
            bitsPerSecond = rate;
            return this;
        }

        /** Sets which share of packets is lost between two hosts, 0 to 1; default none. */
        public Builder loss(double share) {
            loss = share(share);
            return this;
        }

        /** Sets what chance depends on; default 1. */
        public Builder seed(long number) {
            seed = number;
            return this;
        }

        /** Makes the network. */
        public SimulatedNetwork start() {
            return new SimulatedNetwork(this);
        }
    }

    private static double share(double loss) {
        if (!(loss >= 0 && loss <= 1)) {
            throw new IllegalArgumentException("a share of packets is from 0 to 1, loss=" + loss);
        }
        return loss;
    }

    /** Serves a service at a host, at once. */
    public <T> SimulatedNetwork serve(int host, Class<T> service, T implementation) {
        return serve(host, service, implementation, Duration.ZERO);
    }

    /**
     * Serves a service at a host.
     *
     * @param takes how long each call takes the host, which handles one at a time
     * @throws IllegalArgumentException when the host has it, or it has no generated code
     */
    public <T> SimulatedNetwork serve(int host, Class<T> service, T implementation, Duration takes) {
        host(host).serve(ServiceDescriptor.of(service), Objects.requireNonNull(implementation), takes.toNanos());
        return this;
    }

    /** Returns what calls from a host. */
    public SimulatedClient client(int host) {
        return new SimulatedClient(this, host(host));
    }

    SimulatedHost host(int index) {
        if (index < 0 || index >= hosts.size()) {
            throw new IllegalArgumentException("host=" + index + " hosts=" + hosts.size());
        }
        return hosts.get(index);
    }

    /** Has a share of the packets from and to a host be lost from now on; 1 cuts it off. */
    public void loses(int host, double loss) {
        double each = 1 - Math.sqrt(1 - share(loss)); // a packet crosses two links
        Port port = star.host(host(host).index()).port();
        port.faults().loses(each);
        port.peer().faults().loses(each);
    }

    /** Returns how much time has passed. */
    public Duration now() {
        return Duration.ofNanos(network.nowNs());
    }

    /** Lets time pass. */
    public void run(Duration time) {
        long[] over = new long[1];
        later(time.toNanos(), () -> over[0] = 1);
        await(() -> over[0] == 1);
    }

    /** Returns how many packets were lost. */
    public long lost() {
        return network.ports().stream().mapToLong(port -> port.faults().lost()).sum();
    }

    /** Returns how many packets were sent again. */
    public long resent() {
        return star.hosts().stream().flatMap(host -> host.endpoints().stream()).filter(RcEndpoint::isConnected)
                .mapToLong(endpoint -> endpoint.counters().resentPackets()).sum();
    }

    /** Returns a number that all packets made, with their times: equal for equal runs. */
    public long trace() {
        return network.traceHash();
    }

    // ---- for those on it

    long nowNs() {
        return network.nowNs();
    }

    Nic nic(SimulatedHost host) {
        return star.host(host.index());
    }

    EndpointSettings settings() {
        return EndpointSettings.of(attributes).withPort(connections++);
    }

    /** Has something done in so many nanoseconds, when nothing else of the network is under way. */
    void later(long ns, Runnable task) {
        checkThread();
        network.events().schedule(network.nowNs() + ns, tasks, 0, task, 0);
    }

    /** What a handler did that nobody waits for fails the test where time passes next. */
    void fail(RuntimeException thrown) {
        trouble = trouble == null ? thrown : trouble;
    }

    /** Lets things happen until a condition holds. */
    void await(BooleanSupplier condition) {
        checkThread();
        while (!condition.getAsBoolean()) {
            if (network.events().pending() == 0) {
                throw new IllegalStateException("nothing happens any more at " + now());
            }
            network.events().runEvents(1);
            if (trouble != null) {
                RuntimeException thrown = trouble;
                trouble = null;
                throw thrown;
            }
        }
    }

    void checkThread() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("a simulated network is for the thread that made it, " + owner.getName()
                    + ", not for " + Thread.currentThread().getName());
        }
    }
}
