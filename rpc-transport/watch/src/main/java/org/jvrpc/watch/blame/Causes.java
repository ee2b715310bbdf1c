package org.jvrpc.watch.blame;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Component;

/** What is wrong with a suspect that was found. It looks at the evidence before that is taken out. */
final class Causes {

    private static final int BIG = 2;
    private static final double HUNDRED = 100;

    private final Parts parts;
    private final Hosts hosts;
    private final Baselines baselines;

    Causes(Parts parts, Hosts hosts, Baselines baselines) {
        this.parts = parts;
        this.hosts = hosts;
        this.baselines = baselines;
    }

    Cause of(List<Evidence> windows, Suspect suspect, Aspect aspect, Witnesses witnesses) {
        return aspect == Aspect.LOSS ? ofLoss(windows, suspect, witnesses) : ofTime(windows, suspect);
    }

    private static List<Evidence> span(List<Evidence> windows, Suspect suspect) {
        return windows.subList(windows.size() - suspect.span(), windows.size());
    }

    private Cause ofLoss(List<Evidence> windows, Suspect suspect, Witnesses witnesses) {
        if (!witnesses.tellOfAllNow()
                && new Flows(span(windows, suspect), suspect).bimodality() > Thresholds.BIMODAL) {
            return Cause.BLACKHOLE;
        }
        if (suspect.serviceLevel() >= 0) {
            return Cause.CLASS_DROPS;
        }
        if (suspect.big()) {
            return Cause.SIZE_DROPS;
        }
        if (witnesses.tellOfAll()) {
            return Cause.DOWN;
        }
        return areDamaged(windows, suspect) ? Cause.CORRUPTION : Cause.DROPS;
    }

    /** Returns true when receivers behind it, and nearly they alone, counted packets with wrong ICRCs. */
    private boolean areDamaged(List<Evidence> windows, Suspect suspect) {
        Evidence now = windows.get(windows.size() - 1);
        Set<Integer> behind = new HashSet<>();
        long lost = 0;
        for (int flow = 0; flow < now.count(); flow++) {
            if (now.goesThere(flow, suspect.part())) {
                behind.add(now.to(flow));
                lost += now.lostForward(flow) + now.lostUnknown(flow);
            }
            if (now.comesBack(flow, suspect.part())) {
                behind.add(now.from(flow));
                lost += now.lostBack(flow) + (now.goesThere(flow, suspect.part()) ? 0 : now.lostUnknown(flow));
            }
        }
        long all = 0;
        long there = 0;
        for (HostState host : hosts.all()) {
            all += host.damaged;
            there += behind.contains(host.part) ? host.damaged : 0;
        }
        return there > 0 && there >= lost * Thresholds.DAMAGED && there >= all * Thresholds.DAMAGED;
    }

    private Cause ofTime(List<Evidence> windows, Suspect suspect) {
        Component part = parts.part(suspect.part());
        if (part.kind() == Component.Kind.HOST) {
            for (HostState host : hosts.all()) {
                if (host.part == suspect.part() && host.pauses > 0) {
                    return Cause.SLOW_RECEIVER;
                }
            }
            return Cause.LATENCY;
        }
        long small = excess(windows, suspect, 0);
        long big = excess(windows, suspect, BIG);
        return part.kind() == Component.Kind.LINK && big > Thresholds.SHIFT_NS && big > small * Thresholds.SLOPE
                ? Cause.SLOW_LINK : Cause.LATENCY;
    }

    /** Returns by how much probes of a size class over it are slower than usual: the median. */
    private long excess(List<Evidence> windows, Suspect suspect, int size) {
        List<Long> all = new ArrayList<>();
        for (Evidence evidence : span(windows, suspect)) {
            for (int flow = 0; flow < evidence.count(); flow++) {
                if (evidence.kind(flow) >> 3 == size && evidence.received(flow) > 0
                        && evidence.goesThere(flow, suspect.part())) {
                    all.add(baselines.excessNs(evidence, flow));
                }
            }
        }
        all.sort(null);
        return all.isEmpty() ? 0 : all.get(all.size() / 2);
    }

    String tell(Suspect suspect, Aspect aspect, Witnesses witnesses) {
        String which = suspect.isRestricted() ? " of" + (suspect.big() ? " over 1 KB" : "")
                + (suspect.serviceLevel() >= 0 ? " service level " + suspect.serviceLevel() : "") : "";
        String bad = aspect == Aspect.LOSS ? "lost" : aspect == Aspect.LATE ? "far too late" : "slower than usual";
        return String.format(Locale.ROOT, "%d of %d probes%s over it %s (%.2f %%), of %d pairs", suspect.bad(),
                suspect.trials(), which, bad, HUNDRED * suspect.bad() / suspect.trials(), witnesses.pairs());
    }
}
