package org.jvrpc.watch.fabric.mesh;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * Writes of 64 KiB from hosts to others in other racks, begun so often that each takes 30 % of a link. No link has more
 * than two, which is 60 % of it: queues exist, but none is there for good.
 */
final class Background {

    static final int MESSAGE = 64 << 10;
    private static final double LOAD = 0.3;
    private static final int MTU = 1024;
    private static final double NS_BITS = 8e9;

    private static final int MOST = 2;

    private final int[] streamsAt;
    private final List<Stream> streams = new ArrayList<>();

    Background(Topology topology, MeshSettings settings, long bitsPerSecond, Chance chance) {
        streamsAt = new int[topology.network().ports().size()];
        int hosts = topology.hosts().size();
        long periodNs = (long) (MESSAGE * NS_BITS / bitsPerSecond / LOAD);
        for (int i = 0; i < settings.streams(); i++) {
            int from;
            int to;
            EndpointSettings endpoint;
            do {
                from = chance.below(hosts);
                to = (from + settings.hostsPerTor() + chance.below(hosts - 2 * settings.hostsPerTor())) % hosts;
                endpoint = EndpointSettings.of(RcAttributes.defaults().withMtu(MTU).withWindow(32, 8))
                        .withPort(chance.below(1 << 14));
            } while (!hasRoom(topology.path(from, to, endpoint.sourcePort())));
            Stream stream = new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE);
            RcEndpoint sender = topology.host(from).endpoint(endpoint, stream);
            stream.every(1 + chance.below((int) periodNs), periodNs, topology.network().events(), sender);
            RcEndpoint.connect(sender, topology.host(to).endpoint(endpoint, new Stream(Operation.WRITE, MESSAGE, 0)));
            streams.add(stream);
        }
    }

    private boolean hasRoom(List<Port> path) {
        if (path.stream().anyMatch(port -> streamsAt[port.number()] == MOST)) {
            return false;
        }
        path.forEach(port -> streamsAt[port.number()]++);
        return true;
    }

    long completedBytes() {
        return streams.stream().mapToLong(Stream::completedBytes).sum();
    }
}
