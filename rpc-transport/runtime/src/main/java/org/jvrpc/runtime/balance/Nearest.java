package org.jvrpc.runtime.balance;

import java.util.ArrayList;
import java.util.List;

/** The servers that are nearest of those that answer; another policy chooses among them. */
final class Nearest implements LoadBalancingPolicy {

    private final LoadBalancingPolicy among;

    Nearest(LoadBalancingPolicy among) {
        this.among = among;
    }

    /** Those that are as near as the nearest that did not fail, and nearer ones, which may come back. */
    @Override
    public List<Candidate> wanted(List<Candidate> servers) {
        int best = Integer.MAX_VALUE;
        for (Candidate server : servers) {
            if (mayServe(server.state())) {
                best = Math.min(best, server.distance());
            }
        }
        List<Candidate> near = new ArrayList<>();
        for (Candidate server : servers) {
            if (server.distance() <= best) {
                near.add(server);
            }
        }
        return among.wanted(near);
    }

    private static boolean mayServe(ServerState state) {
        return state == ServerState.READY || state == ServerState.CONNECTING || state == ServerState.IDLE;
    }

    @Override
    public ServerPicker picker(List<Candidate> ready) {
        int best = ready.stream().mapToInt(Candidate::distance).min().orElseThrow();
        List<Candidate> near = new ArrayList<>();
        List<Integer> indices = new ArrayList<>();
        for (int i = 0; i < ready.size(); i++) {
            if (ready.get(i).distance() == best) {
                near.add(ready.get(i));
                indices.add(i);
            }
        }
        ServerPicker picker = among.picker(near);
        if (near.size() == ready.size()) {
            return picker;
        }
        int[] places = indices.stream().mapToInt(Integer::intValue).toArray();
        return hash -> places[picker.pick(hash)];
    }
}
