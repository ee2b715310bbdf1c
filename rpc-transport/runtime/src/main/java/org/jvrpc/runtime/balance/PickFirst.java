package org.jvrpc.runtime.balance;

import java.util.ArrayList;
import java.util.List;

/** Stays with one server while it answers. */
final class PickFirst implements LoadBalancingPolicy {

    @Override
    public List<Candidate> wanted(List<Candidate> servers) {
        for (Candidate server : servers) {
            if (server.state() == ServerState.READY) {
                return List.of(server);
            }
        }
        List<Candidate> kept = new ArrayList<>();
        for (Candidate server : servers) {
            if (server.state() == ServerState.IDLE || server.state() == ServerState.CONNECTING) {
                kept.add(server);
                return kept;
            } else if (server.state() == ServerState.UNHEALTHY) {
                kept.add(server); // or it would be connected to over and over, where all are
            }
        }
        return servers; // each after its own pause
    }

    @Override
    public ServerPicker picker(List<Candidate> ready) {
        return hash -> 0;
    }
}
