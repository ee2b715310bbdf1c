package org.jvrpc.watch;

import java.util.List;

/** Which way a flow takes: what a traceroute tells. */
public interface PathMap {

    /** For those who do not know: only hosts and ToRs are blamed then. */
    PathMap UNKNOWN = (from, to, flow) -> List.of();

    /**
     * Returns the directed links and switches of a flow in order, the links of both hosts included; empty when unknown.
     *
     * @param fromAgent its id
     * @param flow as the prober numbers it
     */
    List<Component> path(int fromAgent, int toAgent, int flow);

    /** Returns the switch that an agent hangs on; null when unknown: its rack's name stands for that switch then. */
    default Component tor(int agent) {
        return null;
    }

    /**
     * Returns true when ways from and to an agent are known. The others of its ways, which are not, are no evidence
     * against switches then: they would speak against the ToRs alone, whoever is to blame.
     */
    default boolean isTraced(int agent) {
        return false;
    }
}
