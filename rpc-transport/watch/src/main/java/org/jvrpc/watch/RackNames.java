package org.jvrpc.watch;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What racks are called: by their own name where no other pod has one of that name, else {@code pod/rack}. No two racks
 * of a list have one name: a {@code /} within a pod's or rack's name is written {@code %2F}. Immutable.
 */
public final class RackNames {

    private final Set<String> ofSeveralPods;

    private RackNames(Set<String> ofSeveralPods) {
        this.ofSeveralPods = ofSeveralPods;
    }

    /** Returns the names of the racks of these agents. */
    public static RackNames of(Collection<AgentInfo> agents) {
        Map<String, String> pods = new HashMap<>();
        Set<String> several = new HashSet<>();
        for (AgentInfo agent : agents) {
            String pod = pods.putIfAbsent(agent.rack(), agent.pod());
            if (pod != null && !pod.equals(agent.pod())) {
                several.add(agent.rack());
            }
        }
        return new RackNames(several);
    }

    /** Returns {@code pod/rack}: equal for agents of one rack, and for no others. */
    public static String full(AgentInfo agent) {
        return escaped(agent.pod()) + '/' + escaped(agent.rack());
    }

    private static String escaped(String name) {
        return name.replace("%", "%25").replace("/", "%2F");
    }

    /** Returns what the rack of an agent is called. */
    public String name(AgentInfo agent) {
        String rack = agent.rack();
        return rack.indexOf('/') >= 0 || ofSeveralPods.contains(rack) ? full(agent) : rack;
    }
}
