package org.jvrpc.watch.fabric.mesh;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.blame.PathBlamer;

/** One fabric from its first window on: sound windows, then a failure, or none. */
public final class MeshTrial {

    /** Windows in which a failure has to be named. */
    public static final int ROUNDS = 3;
    private static final int SOUND = 2;

    /**
     * What came of a failure.
     *
     * @param rounds in which round it was named, from 1 on; 0: it was not
     * @param verdicts all of the last round
     * @param others verdicts of all rounds that are about something else, or give another cause
     * @param before verdicts of the sound windows before it
     */
    public record Outcome(GreyFailure failure, long seed, GreyFailure.Planted planted, int rounds,
            List<Verdict> verdicts, int others, List<Verdict> before) {

        public boolean isNamed() {
            return rounds > 0;
        }
    }

    /**
     * What came of a sound fabric.
     *
     * @param verdicts all of them are false alarms
     * @param probes that were sent
     * @param lost of them
     */
    public record Quiet(long seed, int windows, List<Verdict> verdicts, long probes, long lost,
            long backgroundBytes) { }

    private MeshTrial() {
    }

    /** Plants a failure after two sound windows, as soon as what was under way has come. */
    public static Outcome run(MeshSettings settings, GreyFailure failure, long seed) {
        SimulatedMesh mesh = new SimulatedMesh(settings, seed);
        PathBlamer blamer = new PathBlamer(mesh.paths(), mesh::agents);
        List<Verdict> before = new ArrayList<>();
        for (int i = 1; i < SOUND; i++) {
            before.addAll(blamer.judge(mesh.window()));
        }
        mesh.run();
        mesh.settle();
        GreyFailure.Planted planted = failure.plant(mesh, new Chance(seed).fork(failure.ordinal()));
        before.addAll(blamer.judge(mesh.gather()));
        List<Verdict> verdicts = List.of();
        int others = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            verdicts = blamer.judge(mesh.window());
            long right = verdicts.stream().filter(each -> planted.names().contains(each.who())
                    && each.cause() == planted.cause()).count();
            others += verdicts.size() - (int) right;
            if (right > 0) {
                return new Outcome(failure, seed, planted, round, verdicts, others, before);
            }
        }
        return new Outcome(failure, seed, planted, 0, verdicts, others, before);
    }

    /** Runs a sound fabric under its load. */
    public static Quiet quiet(MeshSettings settings, long seed, int windows) {
        SimulatedMesh mesh = new SimulatedMesh(settings, seed);
        PathBlamer blamer = new PathBlamer(mesh.paths(), mesh::agents);
        List<Verdict> verdicts = new ArrayList<>();
        long[] probes = new long[2];
        for (int i = 0; i < windows; i++) {
            var reports = mesh.window();
            reports.forEach(report -> report.tallies().forEach(tally -> {
                probes[0] += tally.sent();
                probes[1] += tally.lostForward() + tally.lostBack() + tally.lostUnknown();
            }));
            verdicts.addAll(blamer.judge(reports));
        }
        return new Quiet(seed, windows, verdicts, probes[0], probes[1], mesh.backgroundBytes());
    }
}
