package org.jvrpc.watch.blame;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether flows are whole or dead, or lose by chance: a black hole eats some addresses, and those always. */
final class Flows {

    private static final int ID_BITS = 20;

    private final Map<Long, int[]> flows = new HashMap<>();

    Flows(List<Evidence> windows, Suspect suspect) {
        for (Evidence evidence : windows) {
            for (int flow = 0; flow < evidence.count(); flow++) {
                if (suspect.covers(evidence.kind(flow))) {
                    add(evidence, flow, suspect.part());
                }
            }
        }
    }

    private void add(Evidence evidence, int flow, int part) {
        boolean there = evidence.goesThere(flow, part) && !evidence.isGone(Evidence.GONE_FORWARD, flow);
        int unknown = evidence.isGone(Evidence.GONE_UNKNOWN, flow) ? 0 : evidence.lostUnknown(flow);
        int forward = evidence.lostForward(flow);
        if (there) {
            count(evidence, flow, 0, evidence.sent(flow), forward + unknown);
        }
        if (evidence.comesBack(flow, part) && !evidence.isGone(Evidence.GONE_BACK, flow)) {
            int came = evidence.sent(flow) - forward - (there ? unknown : 0);
            count(evidence, flow, 1, came, evidence.lostBack(flow) + (there ? 0 : unknown));
        }
    }

    private void count(Evidence evidence, int flow, int way, int trials, int lost) {
        if (trials > 0) {
            long key = (long) evidence.from(flow) << ID_BITS | evidence.to(flow);
            int[] sums = flows.computeIfAbsent((key << ID_BITS | evidence.flow(flow)) << 1 | way,
                    unused -> new int[2]);
            sums[0] += trials;
            sums[1] += lost;
        }
    }

    /** Returns by how much "some are dead, the others whole" is the better explanation, as natural logarithm. */
    double bimodality() {
        long trials = 0;
        long lost = 0;
        int dead = 0;
        for (int[] each : flows.values()) {
            trials += each[0];
            lost += each[1];
            dead += each[0] == each[1] ? 1 : 0;
        }
        if (dead == 0 || dead == flows.size()) {
            return 0;
        }
        double share = (double) lost / trials;
        double dies = (double) dead / flows.size();
        double better = 0;
        for (int[] each : flows.values()) {
            double byChance = each[1] * Math.log(share) + (each[0] - each[1]) * Math.log(1 - share);
            double told = each[1] == 0 ? Math.log(1 - dies) : each[0] == each[1] ? Math.log(dies)
                    : Math.log(Thresholds.NEITHER);
            better += told - byChance;
        }
        return better;
    }

    int size() {
        return flows.size();
    }
}
