package org.jvrpc.runtime.balance;

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
        for (Candidate server : servers) {
            if (server.state() == ServerState.IDLE || server.state() == ServerState.CONNECTING) {
                return List.of(server);
            }
        }
        return servers; // each after its own pause
    }

    @Override
    public ServerPicker picker(List<Candidate> ready) {
        return hash -> 0;
    }
}
