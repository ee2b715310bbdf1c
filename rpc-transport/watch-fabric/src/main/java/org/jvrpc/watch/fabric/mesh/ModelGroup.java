package org.jvrpc.watch.fabric.mesh;

import java.util.List;
import org.jvrpc.watch.report.Tally;

/** Three probes to one target along one flow, of each size one: what was lost there is known when a later one came. */
final class ModelGroup {

    private static final int PLACES = ModelProbe.PLACES;

    private final int target;
    private final int flow;
    private final int level;
    private final int turn;
    private final long[] postedNs = new long[PLACES];
    private final long[] leftNs = new long[PLACES];
    private final long[] cameNs = new long[PLACES];
    private final long[] seenNs = new long[PLACES];
    private final long[] tookNs = new long[PLACES];
    private int posted;
    private int acked;
    private int timed;
    /** Places that came to the target, and the last whose ack says so. */
    private int arrived;
    private int knownUntil = -1;

    ModelGroup(int target, int flow, int level, int turn) {
        this.target = target;
        this.flow = flow;
        this.level = level;
        this.turn = turn;
    }

    int target() {
        return target;
    }

    int flow() {
        return flow;
    }

    int level() {
        return level;
    }

    /** Sizes take turns, so that no size is always the last one. */
    int size(int place) {
        return (place + turn) % PLACES;
    }

    void posted(int place, long nowNs) {
        posted |= 1 << place;
        postedNs[place] = nowNs;
    }

    void left(int place, long nicNs) {
        leftNs[place] = nicNs;
    }

    void acked(int place, int bits, long nicNs, long nowNs) {
        acked |= 1 << place;
        cameNs[place] = nicNs;
        seenNs[place] = nowNs;
        arrived |= bits;
        knownUntil = Math.max(knownUntil, place);
    }

    void times(int place, long ns) {
        timed |= 1 << place;
        tookNs[place] = ns;
    }

    void tally(List<Tally> to) {
        for (int place = 0; place < PLACES; place++) {
            int bit = 1 << place;
            if ((posted & bit) == 0) {
                continue;
            }
            if ((acked & timed & bit) != 0) {
                long networkNs = Math.max(0, cameNs[place] - leftNs[place] - tookNs[place]);
                long proberNs = seenNs[place] - postedNs[place] - (cameNs[place] - leftNs[place]);
                to.add(new Tally(target, flow, size(place), level, 1, 0, 0, 0, 0, 0, networkNs, networkNs, proberNs,
                        tookNs[place]));
            } else {
                boolean back = (arrived & bit) != 0;
                boolean forward = !back && place < knownUntil;
                to.add(new Tally(target, flow, size(place), level, 1, forward ? 1 : 0, back ? 1 : 0,
                        back || forward ? 0 : 1, 0, 0, 0, 0, 0, 0));
            }
        }
    }
}
