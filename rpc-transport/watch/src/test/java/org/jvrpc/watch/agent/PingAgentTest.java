package org.jvrpc.watch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.agent.FakeNet.Host;
import org.jvrpc.watch.agent.FakeNet.Packet;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.report.Tally;

/** An agent among forgers, other versions, clocks that jump and hosts that go. */
class PingAgentTest {

    private static final AgentSettings SETTINGS = AgentSettings.defaults().withRate(50, 1_000_000_000)
            .withTimeoutNs(100_000_000).withSettleNs(0);

    private static final byte[] OTHER = "another one, as long".getBytes();

    private final FakeNet net = new FakeNet();
    private final Host a = net.host(1, "r1");
    private final Host b = net.host(2, "r1");

    private void startBoth() {
        net.start(a, SETTINGS, FakeNet.KEYS);
        net.start(b, SETTINGS, FakeNet.KEYS);
    }

    private int sum(ToIntFunction<Report> of) {
        return net.reports.stream().mapToInt(of).sum();
    }

    private int tallied(ToIntFunction<Tally> of) {
        return sum(report -> report.tallies().stream().mapToInt(of).sum());
    }

    private int lost() {
        return tallied(tally -> tally.lostForward() + tally.lostBack() + tally.lostUnknown());
    }

    private long counter(Host of, String name) {
        return net.reports.stream().filter(report -> report.from().id() == of.info.id())
                .reduce((first, last) -> last).orElseThrow().counters().stream()
                .filter(reading -> reading.name().equals(name)).mapToLong(Reading::value).findFirst().orElse(0);
    }

    private List<Packet> sent(Host by, int kind) {
        return net.packets.stream().filter(packet -> packet.from() == by.info.id() && packet.kind() == kind).toList();
    }

    private static byte[] probe(AgentInfo from, AgentInfo to, long sequence, ProbeKeys keys) {
        ByteBuffer bytes = ByteBuffer.allocate(512);
        ProbeLayout.write(bytes, ProbeLayout.PROBE, 512, from.id(), to.id(), from.incarnation());
        ProbeLayout.write(bytes, sequence, 0, 1, 0, 0, 77, 0);
        new ProbeSeal(keys).seal(bytes);
        return bytes.array();
    }

    @Test
    void eachProbeIsAnsweredAndTheNetworksPartIsExact() {
        startBoth();
        net.run(2_500);
        assertEquals(0, lost());
        assertTrue(tallied(Tally::sent) > 80, "sent " + tallied(Tally::sent));
        for (Report report : net.reports) {
            for (Tally tally : report.tallies()) {
                assertEquals(2 * FakeNet.DELAY_NS, tally.networkP50Ns());
                assertEquals(2 * FakeNet.DELAY_NS, tally.networkP99Ns());
                assertEquals(0, tally.proberP99Ns());
            }
        }
    }

    @Test
    void windowsAreThoseOfTheWallClock() {
        net.wallOffsetMs += 300;
        startBoth();
        net.run(4_000);
        List<Long> windows = net.reports.stream().filter(r -> r.from().id() == 1).map(Report::window).toList();
        long first = net.wallOffsetMs / 1000;
        assertEquals(List.of(first, first + 1, first + 2), windows.subList(0, 3));
        assertEquals(0, sum(Report::clockJumps));
    }

    @Test
    void aForgedProbeIsCountedAndNotAnswered() {
        net.start(a, SETTINGS, FakeNet.KEYS);
        net.inject(a, probe(b.info, a.info, 1, ProbeKeys.of(1, OTHER)));
        net.inject(a, probe(b.info, a.info, 2, ProbeKeys.of(9, new byte[16])));
        net.run(1_500);
        assertEquals(List.of(), sent(a, ProbeLayout.ACK));
        assertEquals(2, sum(Report::refusedForged));
        net.inject(a, probe(b.info, a.info, 1, FakeNet.KEYS));
        net.run(10);
        assertEquals(1, sent(a, ProbeLayout.ACK).size(), "the forged ones used up no number");
    }

    @Test
    void oneAnswerIsEnoughWhereItsTimeIsKnownBeforeItLeaves() {
        startBoth();
        a.foretells = true;
        b.foretells = true;
        net.run(2_500);
        assertEquals(List.of(), sent(a, ProbeLayout.TIMES));
        assertEquals(0, lost());
        assertTrue(tallied(Tally::sent) > 80, "sent " + tallied(Tally::sent));
        assertTrue(net.reports.stream().flatMap(r -> r.tallies().stream())
                .allMatch(t -> t.networkP50Ns() == 2 * FakeNet.DELAY_NS));
    }

    @Test
    void aReplayedProbeIsAnsweredOnceAndCounted() {
        startBoth();
        net.run(500);
        b.stands = true;
        Packet probe = sent(b, ProbeLayout.PROBE).get(0);
        int before = sent(a, ProbeLayout.ACK).size();
        for (int i = 0; i < 5; i++) {
            net.inject(a, probe.bytes());
        }
        net.run(1_500);
        assertEquals(before, sent(a, ProbeLayout.ACK).size());
        assertEquals(5, sum(Report::refusedReplayed));
    }

    @Test
    void aReplayedAnswerChangesNothingAndIsCounted() {
        startBoth();
        net.run(500);
        Packet answer = sent(b, ProbeLayout.ACK).get(0);
        net.inject(a, answer.bytes());
        net.inject(a, sent(b, ProbeLayout.TIMES).get(0).bytes());
        net.run(1_500);
        assertEquals(2, sum(Report::refusedReplayed));
        assertEquals(0, lost());
    }

    @Test
    void probesOfOtherVersionsAreCountedByVersion() {
        startBoth();
        byte[] newer = probe(b.info, a.info, 5, FakeNet.KEYS);
        newer[2] = 7;
        net.inject(a, newer);
        net.inject(a, newer);
        net.run(1_500);
        assertEquals(2, sum(Report::refusedVersion));
        assertEquals(2, counter(a, "probes_version_7"));
    }

    @Test
    void anAgentOfAnotherVersionIsNotProbedAndNamed() {
        AgentInfo other = new AgentInfo(3, "h3", "r1", "p", new byte[] {3}, 2, 103);
        net.registry.set(List.of(a.info, b.info, other));
        startBoth();
        net.run(1_500);
        assertTrue(net.packets.stream().noneMatch(packet -> packet.to() == 3));
        assertEquals(1, counter(a, "agents_other_version"));
    }

    @Test
    void whoIsNotInTheRegistryIsNotAnswered() {
        startBoth();
        AgentInfo stranger = new AgentInfo(9, "h9", "r1", "p", new byte[] {9}, 1, 1);
        AgentInfo before = new AgentInfo(2, "h2", "r1", "p", new byte[] {2}, 1, 1);
        net.inject(a, probe(stranger, a.info, 1, FakeNet.KEYS));
        net.inject(a, probe(before, a.info, 1, FakeNet.KEYS));
        net.inject(a, probe(b.info, b.info, 1, FakeNet.KEYS));
        net.run(1_500);
        assertEquals(3, counter(a, "probes_unlisted"));
        assertEquals(0, lost());
    }

    @Test
    void aProberThatAsksTooOftenIsNotAnsweredEachTime() {
        net.start(a, SETTINGS, FakeNet.KEYS);
        for (int i = 1; i <= 1000; i++) {
            net.inject(a, probe(b.info, a.info, i, FakeNet.KEYS));
        }
        net.run(2_000);
        assertEquals(1000, counter(a, "probes_answered") + counter(a, "probes_not_answered"));
        assertTrue(counter(a, "probes_answered") <= 32, "answered " + counter(a, "probes_answered"));
    }

    @Test
    void garbageOfAnyLengthIsDropped() {
        startBoth();
        Random random = new Random(4);
        for (int length = 0; length < 300; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            net.inject(a, bytes);
            if (length > 3) {
                bytes = probe(b.info, a.info, 1, FakeNet.KEYS);
                net.inject(a, Arrays.copyOf(bytes, length));
            }
        }
        net.run(1_500);
        assertEquals(0, lost());
    }

    @Test
    void aPatternThatWasDamagedBehindARightSealIsAnError() {
        net.loses = packet -> {
            if (packet.kind() == ProbeLayout.PROBE && packet.to() == 2 && packet.bytes().length == 1400) {
                packet.bytes()[1000] ^= 4;
            }
            return false;
        };
        startBoth();
        net.run(2_500);
        int errors = tallied(Tally::errors);
        assertTrue(errors > 10, "errors=" + errors);
        assertEquals(errors, net.reports.stream().flatMap(report -> report.tallies().stream())
                .filter(tally -> tally.size() == 2).mapToInt(Tally::errors).sum());
        assertEquals(0, lost());
    }

    @Test
    void keysAreChangedWhileAgentsRun() {
        ProbeKeys old = FakeNet.KEYS;
        net.start(a, SETTINGS, old.and(2, OTHER));
        net.start(b, SETTINGS, ProbeKeys.of(2, OTHER).and(1, new byte[16]));
        net.run(2_500);
        assertEquals(0, lost() + sum(Report::refusedForged));
        assertTrue(tallied(Tally::sent) > 80);
    }

    @Test
    void aClockThatGoesBackIsCountedAndLosesNothing() {
        startBoth();
        net.run(1_000);
        a.agent.advance(net.nowNs - 500_000_000);
        net.run(2_500);
        assertEquals(1, sum(Report::clockJumps));
        assertEquals(0, lost());
    }

    @Test
    void aWallClockThatJumpsChangesTheNumbersOfWindowsAndNothingElse() {
        startBoth();
        net.run(1_500);
        net.wallOffsetMs -= 3_600_000;
        net.run(3_000);
        assertEquals(2, sum(Report::clockJumps), "once by each");
        assertEquals(0, lost());
        assertTrue(net.reports.get(net.reports.size() - 1).window() < net.reports.get(0).window());
    }

    @Test
    void aSampleThatNoClockCanHaveTakenIsThrownAway() {
        startBoth();
        net.loses = packet -> {
            if (packet.kind() == ProbeLayout.TIMES) {
                ByteBuffer bytes = ByteBuffer.wrap(packet.bytes());
                ByteBuffer again = ByteBuffer.allocate(64).put(bytes);
                again.putLong(40, 3_600_000_000_000L).position(0); // an hour, sealed anew
                new ProbeSeal(FakeNet.KEYS).seal(again);
                System.arraycopy(again.array(), 0, packet.bytes(), 0, 64);
            }
            return false;
        };
        net.run(2_000);
        assertTrue(sum(Report::clockJumps) >= tallied(Tally::sent) && tallied(Tally::sent) > 50);
        assertTrue(net.reports.stream().flatMap(r -> r.tallies().stream()).allMatch(t -> t.networkP99Ns() == 0));
    }

    @Test
    void anAgentThatWasStoppedLosesNothingThatCame() {
        startBoth();
        net.run(1_000);
        while (sent(a, ProbeLayout.PROBE).size() == sent(b, ProbeLayout.ACK).size()) {
            net.nowNs += FakeNet.DELAY_NS / 10;
            net.run(0); // until one is under way
        }
        a.stands = true;
        net.run(3_000);
        a.stands = false;
        net.run(2_500);
        assertEquals(0, net.reports.stream().filter(report -> report.from().id() == 1)
                .flatMap(report -> report.tallies().stream())
                .mapToInt(tally -> tally.lostForward() + tally.lostBack() + tally.lostUnknown()).sum());
        assertTrue(counter(a, "stopped") > 2_900_000_000L, "stopped=" + counter(a, "stopped"));
    }

    @Test
    void theLossOfAnAgentHarmsNobodyElse() {
        Host c = net.host(3, "r2");
        startBoth();
        net.start(c, SETTINGS, FakeNet.KEYS);
        net.run(1_000);
        c.stands = true;
        net.run(3_000);
        int toIt = net.reports.stream().flatMap(r -> r.tallies().stream()).filter(tally -> tally.target() == 3)
                .mapToInt(tally -> tally.lostUnknown()).sum();
        assertTrue(toIt > 10, "lost to it: " + toIt);
        assertEquals(toIt, lost());
        net.registry.set(List.of(a.info, b.info));
        net.run(2_000);
        int before = net.packets.size();
        net.run(1_000);
        assertTrue(net.packets.subList(before, net.packets.size()).stream().noneMatch(packet -> packet.to() == 3));
    }

    @Test
    void anAgentThatTheRegistryForgetsForAWhileIsNoReplay() {
        startBoth();
        net.run(1_000);
        net.registry.set(List.of(a.info));
        net.run(50);
        net.registry.set(List.of(a.info, b.info));
        net.run(2_500);
        assertEquals(0, sum(Report::refusedReplayed));
    }

    @Test
    void aWindowOfMoreFlowsThanAReportTakesIsReportedWithoutSome() {
        AgentSettings many = SETTINGS.withRate(ReportLayout.MOST_TALLIES, 1_000_000_000).withFlows(1 << 16, 1 << 30)
                .withServiceLevels(0, 1, 2, 3, 4, 5, 6, 7);
        a.flows = 1 << 16;
        net.start(a, many, FakeNet.KEYS);
        net.start(b, many, FakeNet.KEYS);
        net.run(5_000);
        ProbeSeal seal = new ProbeSeal(FakeNet.KEYS);
        net.reports.forEach(report -> ReportLayout.write(report, seal));
        assertTrue(counter(a, "tallies_left_out") > 0, "the seed gives no window that is too full");
    }

    @Test
    void anAgentThatStartsAnewIsProbedAsAnother() {
        startBoth();
        net.run(1_000);
        AgentInfo anew = new AgentInfo(2, "h2", "r1", "p", new byte[] {2}, 1, 999);
        net.registry.set(List.of(a.info, anew));
        b.agent = new PingAgent(anew, SETTINGS, FakeNet.KEYS, b, net.registry, net, net.reports::add, 5);
        net.run(2_500);
        assertEquals(0, sum(Report::refusedReplayed));
        assertTrue(lost() <= 1, "lost " + lost());
    }

    @Test
    void whenMostIsLostTheAgentProbesLessAndThenMoreAgain() {
        startBoth();
        net.run(2_000);
        assertEquals(1000, counter(a, "rate_permille"));
        net.loses = packet -> true;
        net.run(2_000);
        long lowered = counter(a, "rate_permille");
        assertTrue(lowered <= 350, "permille " + lowered);
        assertTrue(a.agent.throttled().contains("probes lost"), a.agent.throttled());
        net.loses = packet -> false;
        net.run(15_000);
        assertEquals(1000, counter(a, "rate_permille"));
    }

    @Test
    void anAgentThatTakesTooMuchOfACoreProbesLess() {
        startBoth();
        a.agent.withCpu(() -> net.nowNs / 20);
        net.run(12_500);
        assertTrue(counter(a, "rate_permille") < 1000 && a.agent.throttled().contains("of a core"),
                counter(a, "rate_permille") + " " + a.agent.throttled());
        assertEquals(1000, counter(b, "rate_permille"));
    }

    @Test
    void anAddressThatIsNoneIsNamedAndTheOthersAreProbed() {
        AgentInfo bad = new AgentInfo(3, "h3", "r1", "p", new byte[5], 1, 1);
        net.registry.set(List.of(a.info, b.info, bad));
        startBoth();
        net.run(1_500);
        assertTrue(a.agent.trouble().contains("h3 cannot be probed"), a.agent.trouble());
        assertEquals(0, lost());
    }

    @Test
    void twoAgentsOfOneIdAreNamed() {
        AgentInfo twin = new AgentInfo(1, "evil", "r1", "p", new byte[] {5}, 1, 1);
        net.registry.set(List.of(a.info, b.info, twin));
        startBoth();
        net.run(1_500);
        assertTrue(a.agent.trouble().contains("evil"), a.agent.trouble());
        assertTrue(b.agent.trouble().contains("two agents have id=1"), b.agent.trouble());
    }

    @Test
    void aFullQueueIsCountedAndNotALoss() {
        startBoth();
        net.run(500);
        a.hasRoom = false;
        net.run(500);
        a.hasRoom = true;
        net.run(2_000);
        assertTrue(counter(a, "queue_full") > 20, "full=" + counter(a, "queue_full"));
        int ownLoss = net.reports.stream().filter(r -> r.from().id() == 1).flatMap(r -> r.tallies().stream())
                .mapToInt(t -> t.lostForward() + t.lostBack() + t.lostUnknown()).sum();
        assertEquals(0, ownLoss);
    }
}
