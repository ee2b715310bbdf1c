package org.jvrpc.fabric.experiment;

import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, 4.4: a NIC that knows 2048 translations, 8 MB of pages of 4 KB, is written to in more memory than that,
 * and pauses its switch whenever it waits for its host's memory; with pages of 2 MB it does not. Whether the switch
 * hands pauses on to senders depends on how much memory it lends to one port.
 */
public final class SlowReceiver {

    /** What came of it. */
    public record Result(double goodputGbps, double pausesPerSecond, double senderPausesPerSecond, long misses,
            long drops) {
    }

    private static final int ENTRIES = 2048;
    private static final long MEMORY = 64 << 20;

    private SlowReceiver() {
    }

    /**
     * Runs it: one host writes to random places of another.
     *
     * @param pageBytes of the receiver's memory
     * @param missNs what a missing translation costs: free, the paper does not tell
     * @param messageBytes of a WRITE
     * @param periodNs a message begins each so often at most; 0: as soon as may be
     */
    public static Result run(int pageBytes, long missNs, int messageBytes, long periodNs, BufferSettings buffer,
            long durationNs, long seed, Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        SwitchSettings switches = new SwitchSettings().buffer(buffer);
        NicSettings nics = new NicSettings().translations(ENTRIES, pageBytes, missNs);
        Topology star = Topology.star(network, Links.defaults(), switches, nics, MEMORY, 2);
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withWindow(4096, 64));
        Stream stream = new Stream(Operation.WRITE, messageBytes, Long.MAX_VALUE)
                .anywhere((int) (MEMORY / messageBytes), network.chance(2));
        RcEndpoint sender = star.host(0).endpoint(settings, stream);
        long beginNs = network.nowNs();
        watcher.begins(star, durationNs);
        if (periodNs > 0) {
            stream.every(periodNs, network.events(), sender);
        }
        RcEndpoint.connect(sender, star.host(1).endpoint(settings, new Stream(Operation.WRITE, messageBytes, 0)));
        network.events().runUntil(beginNs + durationNs);
        Switch device = star.tors().get(0);
        double seconds = durationNs * 1e-9;
        return new Result(stream.completedBytes() * 8.0 / durationNs, star.host(1).port().sentPauses() / seconds,
                device.port(0).sentPauses() / seconds, star.host(1).misses(),
                device.counters().headroomDrops() + star.host(1).counters().overflows());
    }
}
