package org.jvrpc.fabric.experiment;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/**
 * SIGCOMM'16, 4.3: one NIC's receive pipeline stands, it pauses its ToR without end, and the pauses spread. A host is
 * unhealthy when less than a tenth arrives from it in the end than did before.
 */
public final class PauseStorm {

    /**
     * The times of a run. The paper's are 100 and 200 ms.
     *
     * @param nicWatchdogNs after which the NIC's watchdog ends its pauses; 0: none
     * @param switchWatchdogNs after which the switch's takes the port out; 0: none
     * @param recoveryNs after which a port without pauses is lossless again
     * @param phaseNs the storm begins after one phase; health is that of the last phase of four
     */
    public record Times(long nicWatchdogNs, long switchWatchdogNs, long recoveryNs, long phaseNs) {
    }

    /** What came of it; without the broken host itself, and counting pauses that it sent. */
    public record Result(int hosts, int unhealthy, long pauses, long nicTrips, long switchTrips, long watchdogDrops,
            long headroomDrops) {
    }

    private static final int TORS = 2;
    private static final int HOSTS_PER_TOR = 4;
    private static final int PEERS = 4;
    private static final long MESSAGE = 64 << 10;
    private static final long MILLISECOND_NS = 1_000_000;
    private static final int UNHEALTHY = 10;

    private PauseStorm() {
    }

    /** Runs it on 2 podsets of 2 ToRs of 4 hosts each. */
    public static Result run(Times times, BufferSettings buffer, long bitsPerSecond, long seed,
            Watcher watcher) {
        Network network = new Network(seed, watcher.needsPayloads(), 1024);
        SwitchSettings switches = new SwitchSettings().buffer(buffer)
                .watchdog(times.switchWatchdogNs(), times.recoveryNs());
        NicSettings nics = new NicSettings().watchdogNs(times.nicWatchdogNs());
        Links links = new Links(bitsPerSecond, 10, 100, 1500);
        Topology clos = Topology.clos(network, links, switches, nics, MESSAGE, 2, 2, TORS, HOSTS_PER_TOR, 4);
        int hosts = clos.hosts().size();
        Chance chance = network.chance(hosts);
        watcher.begins(clos, 5 * times.phaseNs());
        List<List<Stream>> streams = new ArrayList<>();
        for (int host = 0; host < hosts; host++) {
            streams.add(connect(clos, host, chance));
        }
        network.events().runUntil(network.nowNs() + times.phaseNs());
        long[] before = completed(streams, new long[hosts]);
        Nic broken = clos.host(0);
        long pausesBefore = broken.port().sentPauses();
        broken.breakPipeline();
        network.events().runUntil(network.nowNs() + 3 * times.phaseNs());
        long[] atEnd = completed(streams, new long[hosts]);
        network.events().runUntil(network.nowNs() + times.phaseNs());
        long[] last = completed(streams, atEnd);
        int unhealthy = 0;
        for (int host = 1; host < hosts; host++) {
            unhealthy += last[host] * UNHEALTHY < before[host] ? 1 : 0;
        }
        return new Result(hosts - 1, unhealthy, broken.port().sentPauses() - pausesBefore,
                broken.counters().watchdogTrips(),
                clos.switches().stream().mapToLong(device -> device.counters().watchdogTrips()).sum(),
                clos.switches().stream().mapToLong(device -> device.counters().watchdogDrops()).sum(),
                clos.switches().stream().mapToLong(device -> device.counters().headroomDrops()).sum());
    }

    /** Each host sends to the broken one and to some others. */
    private static List<Stream> connect(Topology clos, int host, Chance chance) {
        RcAttributes attributes = RcAttributes.defaults().withWindow(256, 32).withRetries(7, 7, 4 * MILLISECOND_NS);
        List<Stream> streams = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            int to = i == 0 ? 0 : chance.below(clos.hosts().size());
            if (to != host) {
                EndpointSettings settings = EndpointSettings.of(attributes).withPort(chance.below(1 << 14));
                Stream stream = new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE);
                RcEndpoint.connect(clos.host(host).endpoint(settings, stream),
                        clos.host(to).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 0)));
                if (to != 0) {
                    streams.add(stream);
                }
            }
        }
        return streams;
    }

    private static long[] completed(List<List<Stream>> streams, long[] less) {
        long[] completed = new long[less.length];
        for (int host = 0; host < less.length; host++) {
            completed[host] = streams.get(host).stream().mapToLong(Stream::completed).sum() - less[host];
        }
        return completed;
    }
}
