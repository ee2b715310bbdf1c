package org.jvrpc.fabric.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who waits for whom. A lane of a switch's port that is paused and has frames waits for those lanes of the next switch
 * that hold frames which came in by this link. A cycle of such waits is a deadlock when more is in it than ends a
 * pause; else it dissolves when what is beside it has left. Source: SIGCOMM'16, 4.2; Hu et al., HotNets'16.
 */
public final class PauseGraph {

    /** A lane of a port that is paused. */
    public record Wait(Switch device, int port, int lane) {

        @Override
        public String toString() {
            return "switch " + device.mac() + " port " + port + " lane " + lane;
        }
    }

    private final List<Switch> switches;

    public PauseGraph(List<Switch> switches) {
        this.switches = switches;
    }

    /** Returns the lanes of one cycle, in its order; empty when there is none. */
    public List<Wait> cycle() {
        Map<Wait, List<Wait>> edges = new HashMap<>();
        List<Wait> waits = waits();
        for (Wait wait : waits) {
            edges.put(wait, behind(wait));
        }
        Set<Wait> finished = new LinkedHashSet<>();
        for (Wait wait : waits) {
            List<Wait> found = search(wait, edges, finished, new LinkedHashSet<>());
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    /** Returns the lanes that are paused and have frames. */
    public List<Wait> waits() {
        List<Wait> waits = new ArrayList<>();
        for (Switch device : switches) {
            for (int port = 0; port < device.ports(); port++) {
                for (int lane = 0; lane < Pause.PRIORITIES; lane++) {
                    if (isWaiting(device, port, lane)) {
                        waits.add(new Wait(device, port, lane));
                    }
                }
            }
        }
        return waits;
    }

    private static boolean isWaiting(Switch device, int port, int lane) {
        return (device.port(port).paused() >> lane & 1) != 0 && device.queuedBytes(port, lane) > 0;
    }

    private static List<Wait> behind(Wait wait) {
        List<Wait> found = new ArrayList<>();
        Port peer = wait.device().port(wait.port()).peer();
        if (peer.device() instanceof Switch next) {
            for (int port = 0; port < next.ports(); port++) {
                if (isWaiting(next, port, wait.lane()) && next.holds(port, wait.lane(), peer.index())) {
                    found.add(new Wait(next, port, wait.lane()));
                }
            }
        }
        return found;
    }

    private static List<Wait> search(Wait wait, Map<Wait, List<Wait>> edges, Set<Wait> finished, Set<Wait> path) {
        if (path.contains(wait)) {
            List<Wait> cycle = new ArrayList<>(path);
            return cycle.subList(cycle.indexOf(wait), cycle.size());
        }
        if (finished.contains(wait)) {
            return List.of();
        }
        path.add(wait);
        for (Wait next : edges.getOrDefault(wait, List.of())) {
            List<Wait> found = search(next, edges, finished, path);
            if (!found.isEmpty()) {
                return found;
            }
        }
        path.remove(wait);
        finished.add(wait);
        return List.of();
    }
}
