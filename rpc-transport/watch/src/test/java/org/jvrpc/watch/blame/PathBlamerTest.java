package org.jvrpc.watch.blame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.PathMap;
import org.jvrpc.watch.Verdict;

/** Each cause with reports made by hand: who is named, and that nobody else is. */
class PathBlamerTest {

    private static final long SEED = 20261127;

    private static final ToyMesh.Loss CUT = (part, size, level, flow) ->
            part.equals("T4>L5") || part.equals("L5>T4") ? 1 : 0;

    private final ToyMesh mesh = new ToyMesh(new ToyClos(8), SEED);

    /** Two sound rounds, then up to three: what is named first, all of it. */
    private String named() {
        for (int i = 0; i < 3; i++) {
            List<Verdict> verdicts = mesh.round();
            if (!verdicts.isEmpty()) {
                return names(verdicts);
            }
        }
        return "nobody";
    }

    private static String names(List<Verdict> verdicts) {
        return verdicts.stream().map(each -> each.who() + " " + each.cause()).sorted()
                .collect(Collectors.joining(", "));
    }

    private void learn() {
        assertEquals("", names(mesh.round()));
        assertEquals("", names(mesh.round()));
    }

    @Test
    void aSwitchThatDropsOnePercentIsNamedNotItsLinks() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("L1") ? 0.01 : 0;
        assertEquals("SWITCH L1 DROPS", named());
    }

    @Test
    void aSwitchThatDropsLongPacketsIsNamedWithThem() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("T3") && size == 2 ? 0.3 : 0;
        assertEquals("TOR T3 SIZE_DROPS", named());
    }

    @Test
    void aSwitchThatDropsOneClassIsNamedWithIt() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("S2") && level == 3 ? 0.2 : 0;
        assertEquals("SWITCH S2 CLASS_DROPS", named());
    }

    @Test
    void aLinkThatDropsOneWayIsNamedThatWay() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("T2>L3") ? 0.02 : 0;
        assertEquals("LINK T2>L3 DROPS", named());
    }

    @Test
    void aLinkThatDamagesPacketsIsToldFromOneThatDropsThem() {
        learn();
        mesh.countsDamage = true;
        mesh.loss = (part, size, level, flow) -> part.equals("L2>S1") ? 0.03 : 0;
        assertEquals("LINK L2>S1 CORRUPTION", named());
    }

    @Test
    void aBlackHoleIsToldFromLossByChance() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("T4>L5") && (ToyClos.mix(flow) & 7) == 0 ? 1 : 0;
        assertEquals("LINK T4>L5 BLACKHOLE", named());
    }

    @Test
    void aLinkThatIsCutIsDownBothWays() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("T4>L5") || part.equals("L5>T4") ? 1 : 0;
        assertEquals("LINK L5<>T4 DOWN", named());
    }

    @Test
    void aLinkAtATenthOfItsRateIsSlowAsLongProbesSay() {
        learn();
        mesh.slowness = (part, size) -> part.equals("L4>T5") ? new long[] {250, 1_200, 3_000}[size] : 0;
        assertEquals("LINK L4>T5 SLOW_LINK", named());
    }

    @Test
    void aLinkThatDelaysAllSizesAlikeIsNotCalledSlow() {
        learn();
        mesh.slowness = (part, size) -> part.equals("L4>T5") ? 40_000 : 0;
        assertEquals("LINK L4>T5 LATENCY", named());
    }

    @Test
    void aHostThatPausesItsProcessIsHeldUpAndTheNetworkSound() {
        learn();
        mesh.delays.put(17, 80_000_000L);
        assertEquals("HOST H17 HOST_STALL", named());
    }

    @Test
    void aPauseStormIsToldFromAHostThatIsDown() {
        learn();
        mesh.deaf.add(9);
        mesh.pauses.put(9, 5_000L);
        mesh.slowness = (part, size) -> part.equals("T1") ? 300_000 : 0;
        assertEquals("HOST H9 PAUSE_STORM", named());
    }

    @Test
    void aSlowReceiverIsLateAndSendsPauses() {
        learn();
        mesh.pauses.put(30, 900L);
        mesh.slowness = (part, size) -> part.endsWith(">H30") ? 30_000 : 0;
        assertEquals("HOST H30 SLOW_RECEIVER", named());
    }

    @Test
    void aHostThatDiesIsDown() {
        learn();
        mesh.silent.add(5);
        assertEquals("HOST H5 DOWN", named());
    }

    @Test
    void aHostThatDropsIsNamedAndNotItsCable() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("T3>H25") || part.equals("H25>T3") ? 0.05 : 0;
        assertEquals("HOST H25 DROPS", named());
    }

    @Test
    void aRackThatDiesIsOneVerdictAndNotEight() {
        learn();
        for (int host = 16; host < 24; host++) {
            mesh.silent.add(host);
        }
        assertEquals("TOR T2 DOWN", named());
    }

    @Test
    void twoFailuresAtOnceAreBothNamed() {
        learn();
        mesh.silent.add(40);
        mesh.loss = (part, size, level, flow) -> part.equals("L0>S0") ? 0.05 : 0;
        assertEquals("HOST H40 DOWN, LINK L0>S0 DROPS", named());
    }

    /** What is named in windows in which a part fails, or not: one character each. */
    private List<String> named(String windows, ToyMesh.Loss failed, Runnable dies, Runnable lives) {
        learn();
        List<String> named = new ArrayList<>();
        for (char window : windows.toCharArray()) {
            boolean fails = window == 'x';
            mesh.loss = fails ? failed : (part, size, level, flow) -> 0;
            (fails ? dies : lives).run();
            named.add(names(mesh.round()));
        }
        return named;
    }

    private List<String> named(String windows, ToyMesh.Loss failed) {
        return named(windows, failed, () -> { }, () -> { });
    }

    @Test
    void aLinkThatIsCutAgainAndAgainFlaps() {
        String cut = "LINK L5<>T4 DOWN";
        assertEquals(List.of(cut, "", cut, "", "LINK L5<>T4 FLAPPING", ""), named("x.x.x.", CUT));
    }

    @Test
    void aLinkThatDropsManyNowAndThenFlaps() {
        List<String> named = named("x..x.x", (part, size, level, flow) -> part.equals("T2>L3") ? 0.4 : 0);
        assertEquals(List.of("LINK T2>L3 DROPS", "", "", "LINK T2>L3 DROPS", "", "LINK T2>L3 FLAPPING"), named);
    }

    @Test
    void aHostThatComesAndGoesFlaps() {
        String down = "HOST H5 DOWN";
        assertEquals(List.of(down, down, "", down, "", "HOST H5 FLAPPING"), named("xx.x.x",
                (part, size, level, flow) -> 0, () -> mesh.silent.add(5), () -> mesh.silent.remove(5)));
    }

    @Test
    void aRackThatComesAndGoesFlaps() {
        List<Integer> rack = List.of(16, 17, 18, 19, 20, 21, 22, 23);
        assertEquals(List.of("TOR T2 DOWN", "", "TOR T2 DOWN", "", "TOR T2 FLAPPING"), named("x.x.x",
                (part, size, level, flow) -> 0, () -> mesh.silent.addAll(rack), () -> mesh.silent.removeAll(rack)));
    }

    @Test
    void whatFailsAndStaysIsDown() {
        String cut = "LINK L5<>T4 DOWN";
        assertEquals(List.of(cut, cut, cut, cut, cut, cut), named("xxxxxx", CUT));
    }

    @Test
    void whatIsRepairedAndFailsOnceMoreIsDown() {
        String cut = "LINK L5<>T4 DOWN";
        assertEquals(List.of(cut, cut, "", "", cut, cut, cut), named("xx..xxx", CUT));
    }

    @Test
    void outagesOfLongAgoAreForgotten() {
        List<String> named = named("x.x.........x", CUT);
        assertEquals("LINK L5<>T4 DOWN", named.get(named.size() - 1));
    }

    @Test
    void windowsOfWhichNothingIsKnownEndNoOutage() {
        learn();
        mesh.loss = CUT;
        for (int i = 0; i < 4; i++) {
            assertEquals("LINK L5<>T4 DOWN", names(mesh.round()), "outage=" + i);
            assertEquals("", names(mesh.judge.judge(List.of())));
        }
    }

    @Test
    void aSingleProberThatIsSickBlamesNobody() {
        learn();
        mesh.sickProber = 20;
        assertEquals("nobody", named());
    }

    @Test
    void withoutPathsHostsAndTorsAreBlamedStill() {
        ToyMesh blind = new ToyMesh(new ToyClos(8), SEED);
        PathBlamer blamer = new PathBlamer(PathMap.UNKNOWN, blind.clos::agents);
        blind.judge = blamer;
        blind.round();
        blind.loss = (part, size, level, flow) -> part.equals("T6") ? 0.05 : 0;
        assertEquals("TOR T6 DROPS", names(blind.round()));
    }

    /** Each pod has its racks r0 and r1. */
    private static ToyMesh meshOfEqualRacks() {
        ToyMesh blind = new ToyMesh(new ToyClos(8, tor -> "r" + tor % ToyClos.TORS), SEED);
        blind.judge = new PathBlamer(PathMap.UNKNOWN, blind.clos::agents);
        assertEquals("", names(blind.round()));
        return blind;
    }

    @Test
    void ofRacksOfOneNameInTwoPodsTheOneThatDropsIsNamed() {
        ToyMesh blind = meshOfEqualRacks();
        blind.loss = (part, size, level, flow) -> part.equals("T6") ? 0.05 : 0;
        assertEquals("TOR P3/r0 DROPS", names(blind.round()));
    }

    @Test
    void ofRacksOfOneNameInTwoPodsTheOneThatDiesIsNamed() {
        ToyMesh blind = meshOfEqualRacks();
        for (int host = 16; host < 24; host++) {
            blind.silent.add(host);
        }
        assertEquals("TOR P1/r0 DOWN", names(blind.round()));
    }

    /** Every so many-th flow is traced, and ToRs are told by another name than their racks. */
    private static PathMap traced(ToyClos clos, int everyFlow) {
        return new PathMap() {
            @Override
            public List<Component> path(int from, int to, int flow) {
                return flow % everyFlow == 0 ? clos.path(from, to, flow) : List.of();
            }

            @Override
            public Component tor(int agent) {
                return new Component(Component.Kind.TOR, "T" + clos.torOf(agent));
            }

            @Override
            public boolean isTraced(int agent) {
                return true;
            }
        };
    }

    private static ToyMesh tracedMesh(int everyFlow) {
        ToyMesh partly = new ToyMesh(new ToyClos(8, tor -> "rack" + tor), SEED);
        partly.judge = new PathBlamer(traced(partly.clos, everyFlow), partly.clos::agents);
        assertEquals("", names(partly.round()));
        assertEquals("", names(partly.round()));
        return partly;
    }

    @Test
    void waysThatAreNotTracedDoNotAccuseTheirToRsOfWhatALinkDoes() {
        ToyMesh partly = tracedMesh(4);
        partly.loss = (part, size, level, flow) -> part.equals("T2>L3") ? 0.3 : 0;
        assertEquals("LINK T2>L3 DROPS", names(partly.round()));
    }

    @Test
    void theShareOfProbesWhoseWaysAreTracedIsTold() {
        ToyMesh partly = tracedMesh(4);
        assertEquals(0.25, ((PathBlamer) partly.judge).tracedShare(), 0.05);
    }

    @Test
    void aDeadRackBearsTheNameOfItsSwitchWhereThatIsTold() {
        ToyMesh partly = tracedMesh(4);
        for (int host = 16; host < 24; host++) {
            partly.silent.add(host);
        }
        assertEquals("TOR T2 DOWN", names(partly.round()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aSoundFabricThatLosesNowAndThenAccusesNobody(long seed) {
        ToyMesh sound = new ToyMesh(new ToyClos(4), seed);
        sound.loss = (part, size, level, flow) -> 1e-5;
        for (int i = 0; i < 4; i++) {
            assertEquals("", names(sound.round()), "seed=" + seed);
        }
    }

    @Test
    void aVerdictSaysHowStrongItIs() {
        learn();
        mesh.loss = (part, size, level, flow) -> part.equals("T2>L3") ? 0.1 : 0;
        Verdict verdict = mesh.round().get(0);
        assertEquals(new Component(Component.Kind.LINK, "T2>L3"), verdict.who());
        assertEquals(Cause.DROPS, verdict.cause());
        assertTrue(verdict.strength() > 60 && verdict.share() > 0.05 && verdict.share() < 0.1, verdict.toString());
        assertTrue(verdict.evidence().contains("over it lost"), verdict.evidence());
    }
}
