package org.jvrpc.watch.blame;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.PathMap;

/** Four podsets of two ToRs, two leaves each, four spines: paths alone, by a hash. */
final class ToyClos implements PathMap {

    static final int PODS = 4;
    static final int TORS = 2;
    static final int LEAVES = 2;
    static final int SPINES = 4;

    private final int hostsPerTor;
    private final List<AgentInfo> agents = new ArrayList<>();

    ToyClos(int hostsPerTor) {
        this(hostsPerTor, tor -> "T" + tor);
    }

    /** @param rack the name of the rack of each ToR */
    ToyClos(int hostsPerTor, IntFunction<String> rack) {
        this.hostsPerTor = hostsPerTor;
        for (int host = 0; host < PODS * TORS * hostsPerTor; host++) {
            agents.add(new AgentInfo(host, "H" + host, rack.apply(torOf(host)),
                    "P" + torOf(host) / TORS, new byte[0], 1, 7));
        }
    }

    List<AgentInfo> agents() {
        return agents;
    }

    int torOf(int host) {
        return host / hostsPerTor;
    }

    static int mix(int number) {
        int mixed = (number ^ number >>> 16) * 0x7feb352d;
        mixed = (mixed ^ mixed >>> 15) * 0x846ca68b;
        return mixed ^ mixed >>> 16;
    }

    @Override
    public List<Component> path(int from, int to, int flow) {
        List<String> devices = new ArrayList<>(List.of("H" + from, "T" + torOf(from)));
        int hash = mix(from * 7919 + to * 104729 + flow * 31) >>> 1;
        int fromPod = torOf(from) / TORS;
        int toPod = torOf(to) / TORS;
        if (torOf(from) != torOf(to)) {
            int leaf = hash % LEAVES;
            devices.add("L" + (fromPod * LEAVES + leaf));
            if (fromPod != toPod) {
                int spine = leaf * 2 + hash / LEAVES % 2;
                devices.add("S" + spine);
                devices.add("L" + (toPod * LEAVES + leaf));
            }
            devices.add("T" + torOf(to));
        }
        devices.add("H" + to);
        List<Component> path = new ArrayList<>();
        for (int i = 0; i + 1 < devices.size(); i++) {
            path.add(new Component(Kind.LINK, devices.get(i) + ">" + devices.get(i + 1)));
            String next = devices.get(i + 1);
            if (i + 2 < devices.size()) {
                path.add(new Component(next.charAt(0) == 'T' ? Kind.TOR : Kind.SWITCH, next));
            }
        }
        return path;
    }
}
