package org.jvrpc.fabric.experiment;

import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, 4.1: two hosts at one switch, which drops each packet whose IP identification ends in 0xff, one of 256;
 * messages of 4 MB. When a loss has all of a message sent again, none ever arrives.
 */
public final class Livelock {

    /** What came of it; the goodput is that of whole messages, the link's rate is with all headers and repetitions. */
    public record Result(Operation operation, boolean goBackZero, long messages, double goodputGbps, double linkGbps,
            long lost, long resent) {
    }

    private static final long MESSAGE = 4 << 20;
    private static final int DROPPED = 0xff;
    /** Free: the paper does not tell. */
    private static final long ACK_TIMEOUT_NS = 500_000;

    private Livelock() {
    }

    /** Runs it for a time. */
    public static Result run(Operation operation, boolean goBackZero, long durationNs, long seed, Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        Topology star = Topology.star(network, Links.defaults(), new SwitchSettings(), new NicSettings(), MESSAGE, 2);
        RcAttributes attributes = RcAttributes.defaults().withRetries(7, 7, ACK_TIMEOUT_NS).withGoBackZero(goBackZero);
        EndpointSettings settings = EndpointSettings.of(attributes);
        Stream stream = new Stream(operation, MESSAGE, Long.MAX_VALUE);
        RcEndpoint a = star.host(0).endpoint(settings, stream);
        RcEndpoint b = star.host(1).endpoint(settings, new Stream(operation, MESSAGE, 0));
        for (int port = 0; port < 2; port++) {
            star.tors().get(0).port(port).faults().loses((frame, number) -> frame.kind() == Frame.Kind.PACKET
                    && (frame.identification() & 0xff) == DROPPED);
        }
        long beginNs = network.nowNs();
        watcher.begins(star, durationNs);
        RcEndpoint.connect(a, b);
        network.events().runUntil(beginNs + durationNs);
        boolean read = operation == Operation.READ;
        long linkBytes = star.host(read ? 1 : 0).port().sentBytes();
        long lost = star.tors().get(0).port(0).faults().lost() + star.tors().get(0).port(1).faults().lost();
        return new Result(operation, goBackZero, stream.completed(), stream.completedBytes() * 8.0 / durationNs,
                linkBytes * 8.0 / durationNs, lost, a.counters().resentPackets());
    }
}
