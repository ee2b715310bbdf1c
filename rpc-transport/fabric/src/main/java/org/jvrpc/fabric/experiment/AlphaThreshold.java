package org.jvrpc.fabric.experiment;

import java.util.ArrayList;
import java.util.List;
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
 * SIGCOMM'16, 6.2: a new kind of switch had alpha 1/64 where the others had 1/16. Answers of over a thousand servers
 * at once, which come in by four uplinks, then caused up to 60,000 pauses in five minutes.
 */
public final class AlphaThreshold {

    /** What came of it; drops are to be 0 whatever alpha is. */
    public record Result(double alpha, int flows, long bursts, long pauses, double pausesInFiveMinutes, long drops,
            long mostHeldBytes) {
    }

    private static final int UPLINKS = 4;
    private static final int FIVE_MINUTES = 300;

    private AlphaThreshold() {
    }

    /**
     * Runs it.
     *
     * @param flowsPerUplink QPs that answer at once
     * @param answerBytes of each of them
     * @param periodNs between two bursts
     */
    public static Result run(double alpha, int flowsPerUplink, int answerBytes, long periodNs, long durationNs,
            long seed, Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        SwitchSettings switches = new SwitchSettings().buffer(BufferSettings.defaults().withAlpha(alpha));
        Topology star = Topology.star(network, Links.defaults(), switches, new NicSettings(), answerBytes,
                UPLINKS + 1);
        List<Stream> streams = new ArrayList<>();
        long beginNs = network.nowNs();
        watcher.begins(star, durationNs);
        for (int uplink = 1; uplink <= UPLINKS; uplink++) {
            for (int flow = 0; flow < flowsPerUplink; flow++) {
                EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(flow);
                Stream stream = new Stream(Operation.SEND, answerBytes, Long.MAX_VALUE);
                RcEndpoint sender = star.host(uplink).endpoint(settings, stream);
                stream.every(periodNs, network.events(), sender);
                RcEndpoint.connect(sender,
                        star.host(0).endpoint(settings, new Stream(Operation.SEND, answerBytes, 0)));
                streams.add(stream);
            }
        }
        network.events().runUntil(beginNs + durationNs);
        Switch device = star.tors().get(0);
        long pauses = 0;
        for (int uplink = 1; uplink <= UPLINKS; uplink++) {
            pauses += device.port(uplink).sentPauses();
        }
        return new Result(alpha, streams.size(), streams.stream().mapToLong(Stream::completed).min().orElse(0), pauses,
                pauses * (FIVE_MINUTES * 1e9 / durationNs), device.counters().headroomDrops(),
                device.mostHeldBytes());
    }
}
