package org.jvrpc.watch.fabric.rperf;

import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;

/**
 * How far the subtraction is from the truth, which only a simulation knows: hosts whose NICs and PCIe take time, idle
 * or with other work, measure each other.
 */
public final class Accuracy {

    /** Where the peer is. */
    public enum Way {
        /** At the same ToR. */
        TOR,
        /** At another ToR of the same podset. */
        LEAF,
        /** In another podset. */
        SPINE
    }

    /**
     * What is run.
     *
     * @param load of the fetches and completions of both hosts by other work, 0 to 0.95
     * @param itemNs how long one piece of that work takes
     * @param costs of hosts without other work
     * @param loopbackNs of the NIC, without bits
     */
    public record Setup(Way way, double load, long itemNs, HostCosts costs, long loopbackNs, LoadPattern pattern,
            long durationNs, long seed) {

        /** Checks the values. */
        public Setup {
            if (!(load >= 0 && load <= 0.95)) {
                throw new IllegalArgumentException("load must be 0 to 0.95, load=" + load);
            }
        }

        /** 64 bytes at a time between podsets, with the costs that follow. */
        public static Setup of(double load, long durationNs, long seed) {
            return new Setup(Way.SPINE, load, ITEM_NS, COSTS, 0, LoadPattern.ofBytes(64), durationNs, seed);
        }

        public Setup withWay(Way newWay) {
            return new Setup(newWay, load, itemNs, costs, loopbackNs, pattern, durationNs, seed);
        }

        public Setup withItemNs(long ns) {
            return new Setup(way, load, ns, costs, loopbackNs, pattern, durationNs, seed);
        }

        public Setup withLoopbackNs(long ns) {
            return new Setup(way, load, itemNs, costs, ns, pattern, durationNs, seed);
        }
    }

    /**
     * What came of it. Errors are shares of the truth, with their sign. The truth is from when the first bit of a
     * message leaves the NIC until the NIC has its acknowledgement. The bits of both pass the NIC's port meanwhile; as
     * those of a SEND by loopback take as long in the NIC, the subtraction takes them out, and tells the time between
     * the ports: from the last bit that leaves to the first that comes back. Here, where it is known how fast loopback
     * is, rperf adds them again. On a device it is not known: the errors without that are those of a device whose
     * loopback is as fast as its link.
     *
     * @param fetchLoad of the measuring host's fetches, rperf's own included
     * @param completeLoad of its completions
     * @param truthMeanNs of the same messages
     * @param portNs of the bits at the NIC's port
     */
    public record Report(Setup setup, RperfResult result, double fetchLoad, double completeLoad, long messages,
            double truthMeanNs, long truthP50Ns, long truthP99Ns, double portNs) {

        /** Returns the error of the mean of all samples, those of zero and less too. */
        public double meanError() {
            return result.meanOfAllNs() / truthMeanNs - 1;
        }

        public double p50Error() {
            return (double) result.rtt().p50Ns() / truthP50Ns - 1;
        }

        /** Returns the error that the mean has when loopback's own bits are not added. */
        public double meanErrorWithoutBits() {
            return (result.meanOfAllNs() - result.loopbackBitsNs()) / truthMeanNs - 1;
        }

        /** Returns the error that the median has when loopback's own bits are not added. */
        public double p50ErrorWithoutBits() {
            return (result.rtt().p50Ns() - result.loopbackBitsNs()) / truthP50Ns - 1;
        }

        public double p99Error() {
            return (double) result.rtt().p99Ns() / truthP99Ns - 1;
        }

        /** Returns the error of what is measured without loopback. */
        public double rawMeanError() {
            return result.wire().meanNs() / truthMeanNs - 1;
        }

        public double rawP50Error() {
            return (double) result.wire().p50Ns() / truthP50Ns - 1;
        }
    }

    /** Free parameters, of the size that PCIe has. */
    public static final HostCosts COSTS = new HostCosts(80, 350, 10, 250, 10, 20);
    /** A free parameter: 64 bytes to some hundred over PCIe 3 x16. */
    public static final long ITEM_NS = 20;

    private static final long MEMORY = LoadPattern.MOST_BYTES;
    private static final long WARM_UP_NS = 100_000;
    private static final long DRAIN_NS = 3_000_000_000L;
    private static final int MTU = 1024;
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;

    private Accuracy() {
    }

    /** Runs it. */
    public static Report run(Setup setup) {
        Network network = new Network(setup.seed(), false, MTU);
        NicSettings nics = new NicSettings().costs(setup.costs()).loopbackNs(setup.loopbackNs());
        Topology made = Topology.clos(network, Links.defaults(), new SwitchSettings(), nics, MEMORY, 2, 2, 2, 2, 2);
        int to = switch (setup.way()) {
            case TOR -> 1;
            case LEAF -> 2;
            case SPINE -> made.hosts().size() - 1;
        };
        HostLoad local = new HostLoad(made.host(0), setup.load(), setup.itemNs(), network.chance(~0).fork(LOCAL));
        new HostLoad(made.host(to), setup.load(), setup.itemNs(), new Chance(setup.seed()).fork(REMOTE));
        SimulatedPairs pairs = SimulatedPairs.between(made, 0, to, EndpointSettings.of(RcAttributes.defaults()), 1,
                setup.pattern().outstanding(), true);
        Truth truth = new Truth(pairs, network.nowNs() + WARM_UP_NS);
        SimulatedRun run = SimulatedRun.begin(pairs, setup.pattern(), WARM_UP_NS, setup.durationNs());
        if (!run.await(WARM_UP_NS + setup.durationNs() + DRAIN_NS)) {
            throw new IllegalStateException("rperf does not end");
        }
        return new Report(setup, run.result(setup.way().name()), local.fetches(), local.completions(), truth.count(),
                truth.meanNs(), truth.percentileNs(50), truth.percentileNs(99),
                truth.portNs());
    }
}
