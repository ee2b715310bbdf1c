package org.jvrpc.watch.fabric.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.counters.CounterTable;
import org.jvrpc.watch.counters.PauseRate;
import org.jvrpc.watch.counters.Rates;

/** Three hosts send to the fourth, with payloads, by class 3. */
class FabricCountersTest {

    private static final int RECEIVER = 3;
    private static final long MESSAGE = 64 << 10;
    private static final int CLASS = 1 << 3;
    private static final long MS = 1_000_000;

    private final SwitchSettings switches = new SwitchSettings()
            .buffer(BufferSettings.defaults().withTotal(2_000_000).withHeadroom(4_000));
    private final List<Stream> streams = new ArrayList<>();
    private Topology star;

    private void incast(DcqcnParameters dcqcn) {
        Network network = new Network(11, true, 1024);
        star = Topology.star(network, Links.defaults(), switches, new NicSettings().lossless(CLASS), MESSAGE,
                RECEIVER + 1);
        for (int host = 0; host < RECEIVER; host++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withWindow(1024, 32))
                    .withServiceLevel(3).withDcqcn(dcqcn);
            Stream stream = new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE);
            streams.add(stream);
            RcEndpoint.connect(star.host(host).endpoint(settings, stream),
                    star.host(RECEIVER).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 0)));
        }
    }

    private void run(long ns) {
        star.network().events().runUntil(star.network().nowNs() + ns);
    }

    private void end() {
        streams.forEach(Stream::stop);
        assertTrue(star.network().events().runUntil(2_000 * MS), "something is left to happen");
    }

    private static long value(List<Reading> readings, String device, int port, String name) {
        List<Reading> found = readings.stream().filter(reading -> reading.device().equals(device)
                && reading.port() == port && reading.name().equals(name)).toList();
        assertEquals(1, found.size(), () -> device + "/" + port + " " + name + ": " + found);
        return found.get(0).value();
    }

    @Test
    void pausesThatTheSwitchSentCameAtTheHostsAndLastedAsLong() {
        incast(null);
        run(2 * MS);
        end();
        List<Reading> all = FabricCounters.of(star, CLASS).read();
        for (int host = 0; host < RECEIVER; host++) {
            long sent = value(all, "T0", host + 1, "tx_prio3_pause");
            assertTrue(sent > 10, "sent=" + sent);
            assertEquals(sent, value(all, "H" + host, 1, "rx_prio3_pause"));
            assertEquals(sent, value(all, "T0", host + 1, "tx_pause_ctrl_phy"));
            long told = value(all, "T0", host + 1, "tx_prio3_pause_duration");
            long rested = value(all, "H" + host, 1, "rx_prio3_pause_duration");
            assertTrue(rested > 0 && rested <= 2_000, "rested=" + rested);
            assertEquals(told, rested, 1 + told / 50.0);
            assertTrue(value(all, "H" + host, 1, "rx_prio3_pause_transition") > 0);
            assertEquals(0, value(all, "H" + host, 1, "tx_prio3_pause"));
        }
        assertEquals(0, value(all, "T0", 0, "rx_discards_phy"));
    }

    @Test
    void marksAndCnpsAreCountedUnderTheirNames() {
        switches.marking(EcnMarking.SIGCOMM15);
        incast(DcqcnParameters.SIGCOMM15);
        run(2 * MS);
        end();
        List<Reading> all = FabricCounters.of(star, CLASS).read();
        assertTrue(value(all, "T0", 0, "ecn_marked") > 0);
        long handled = 0;
        for (int host = 0; host < RECEIVER; host++) {
            handled += value(all, "H" + host, 1, "rp_cnp_handled");
        }
        assertTrue(handled > 0);
        assertEquals(value(all, "H3", 1, "np_cnp_sent"), handled);
    }

    @Test
    void aLinkThatCorruptsSilentlyIsSeenByTheReceiversIcrcAlone() {
        incast(null);
        star.host(0).port().faults().damages(0.01, true);
        run(MS);
        List<Reading> all = FabricCounters.of(star, CLASS).read();
        assertTrue(value(all, "H3", 1, "rx_icrc_encapsulated") > 0);
        assertEquals(0, value(all, "H0", 1, "rx_icrc_encapsulated"));
        assertEquals(0, value(all, "T0", 0, "rx_discards_phy"));
        assertTrue(value(all, "H3", 1, "out_of_sequence") > 0);
        assertTrue(value(all, "H0", 1, "packet_seq_err") > 0, "the sender is told");
    }

    @Test
    void aStormOfPausesIsOneThatStandsAndALongQueueManyThatPass() {
        incast(null);
        Rates rates = new Rates();
        try (CounterTable table = CounterTable.of(List.of(FabricCounters.of(star, CLASS)),
                star.network()::nowNs)) {
            run(MS);
            rates.update(table.read());
            run(MS);
            PauseRate passing = pauses(table, rates, "H0", true);
            assertTrue(passing.share() > 0.1 && passing.share() < 0.9, passing::toString);
            assertTrue(passing.pausesPerSecond() > 1_000 && passing.meanUs() < 500, passing::toString);
            star.host(RECEIVER).breakPipeline();
            run(MS);
            rates.update(table.read());
            run(MS);
            PauseRate storm = pauses(table, rates, "H3", false);
            assertEquals(1, storm.share(), 0.01);
            assertTrue(storm.framesPerSecond() > 0, storm::toString);
        }
    }

    private PauseRate pauses(CounterTable table, Rates rates, String device, boolean received) {
        return PauseRate.of(rates.update(table.read())).stream()
                .filter(pause -> pause.device().equals(device) && pause.received() == received).findFirst()
                .orElseThrow();
    }

    @Test
    void aHostsSourceHasItsOwnCountersOnlyAndOfTheClassesThatAreAskedFor() {
        incast(null);
        List<Reading> host = FabricCounters.ofHost(star, 1, CLASS).read();
        assertTrue(host.stream().allMatch(reading -> reading.device().equals("H1") && reading.port() == 1));
        assertEquals("tx_prio3_packets rx_prio3_pause rx_prio3_pause_duration rx_prio3_pause_transition tx_prio3_pause"
                + " tx_prio3_pause_duration", host.stream().map(Reading::name).filter(name -> name.contains("prio"))
                .collect(Collectors.joining(" ")));
        assertTrue(host.stream().filter(reading -> reading.name().endsWith("duration"))
                .allMatch(reading -> reading.unit() == Unit.MICROSECONDS));
        List<Reading> device = FabricCounters.ofSwitch(star, star.tors().get(0), 0).read();
        assertEquals(5L * (RECEIVER + 1) + 10, device.size());
        assertEquals(device.size(), device.stream().map(reading -> reading.port() + reading.name()).distinct().count());
        assertEquals(host.size(), host.stream().map(Reading::name).distinct().count());
    }
}
