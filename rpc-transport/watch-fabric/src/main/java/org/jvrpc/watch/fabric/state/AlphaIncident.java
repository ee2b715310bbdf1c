package org.jvrpc.watch.fabric.state;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Desired;
import org.jvrpc.watch.drift.DesiredException;
import org.jvrpc.watch.drift.Differ;
import org.jvrpc.watch.drift.Difference;
import org.jvrpc.watch.drift.Drift;
import org.jvrpc.watch.drift.Sightings;

/**
 * SIGCOMM 2016, 6.2: switches had alpha 1/16; with an update, one has 1/64, and nobody knows until over a thousand
 * servers answer at once by its four uplinks. Here a monitor asks all switches again and again, and compares. The
 * switch is updated at 100 ms, answers come from 400 ms on.
 */
public final class AlphaIncident {

    /**
     * What came of it; times are of the simulation, -1: never.
     *
     * @param found what the monitor found first
     * @param pauses that the updated switch sent by its uplinks
     * @param drops of all switches, which are to be none
     */
    public record Result(boolean repaired, long updatedNs, long foundNs, Difference found, long firstPauseNs,
            long pauses, long answers, long drops) {
    }

    /** What is wanted of all switches. */
    public static final String WANTED = """
            fabric:
              alpha: 1/16
              pfc: [3]
              buffer: 12MB
              headroom: 40KB
              ecn: off
              dscp: {3: {class: 3, queue: 3}}
            """;

    private static final long MS = 1_000_000;
    private static final long UPDATE_NS = 100 * MS;
    private static final long ANSWERS_NS = 400 * MS;
    private static final long PERIOD_NS = 10 * MS;
    private static final long END_NS = 450 * MS;
    private static final double UPDATED = 1.0 / 64;
    private static final int UPLINKS = 4;
    private static final int HOSTS = 4;
    private static final int FLOWS = 260;
    private static final int ANSWER = 2048;

    private final Topology made;
    private final Switch updated;
    private final Desired desired;
    private final Sightings sightings = new Sightings();
    private final List<ConfigurationSource> switches;
    private long firstPauseNs = -1;
    private long pauses;

    private AlphaIncident(long seed) throws DesiredException {
        Network network = new Network(seed, false, 1024);
        made = Topology.twoTier(network, Links.defaults(), new SwitchSettings(), new NicSettings(), ANSWER, UPLINKS, 2,
                HOSTS);
        updated = made.tors().get(0);
        desired = Desired.parse("wanted", WANTED);
        switches = FabricConfiguration.switches(made);
        network.tap((nowNs, port, frame) -> {
            if (frame.kind() == Frame.Kind.PAUSE && port.device() == updated && port.index() >= HOSTS) {
                firstPauseNs = firstPauseNs < 0 ? nowNs : firstPauseNs;
                pauses++;
            }
        });
    }

    /**
     * Runs it.
     *
     * @param repair what the monitor finds is set right at once, as an operator would
     * @param pollNs time between two looks of the monitor
     */
    public static Result run(boolean repair, long pollNs, long seed) {
        try {
            return new AlphaIncident(seed).run(repair, pollNs);
        } catch (DesiredException e) {
            throw new IllegalStateException(e); // it is the one above
        }
    }

    private Result run(boolean repair, long pollNs) {
        Network network = made.network();
        List<Stream> streams = new ArrayList<>();
        for (int flow = 0; flow < HOSTS * FLOWS; flow++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(flow);
            Stream stream = new Stream(Operation.SEND, ANSWER, Long.MAX_VALUE);
            RcEndpoint sender = made.host(HOSTS + flow % HOSTS).endpoint(settings, stream);
            stream.every(ANSWERS_NS - network.nowNs(), PERIOD_NS, network.events(), sender);
            RcEndpoint.connect(sender, made.host(0).endpoint(settings, new Stream(Operation.SEND, ANSWER, 0)));
            streams.add(stream);
        }
        SwitchSettings before = updated.settings();
        Difference found = null;
        long foundNs = -1;
        for (long atNs = pollNs; atNs <= END_NS; atNs += pollNs) {
            if (atNs > UPDATE_NS && atNs - pollNs <= UPDATE_NS) {
                network.events().runUntil(UPDATE_NS);
                updated.apply(before.copy().buffer(before.buffer().withAlpha(UPDATED)));
            }
            network.events().runUntil(atNs);
            Drift drift = Differ.look(desired, switches, sightings, atNs / MS);
            if (found == null && !drift.differences().isEmpty()) {
                found = drift.differences().get(0);
                foundNs = atNs;
                if (repair) {
                    updated.apply(before);
                }
            }
        }
        long answers = streams.stream().mapToLong(Stream::completed).sum();
        return new Result(repair, UPDATE_NS, foundNs, found, firstPauseNs, pauses, answers, made.switchDrops());
    }
}
