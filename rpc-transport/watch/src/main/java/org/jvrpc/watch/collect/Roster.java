package org.jvrpc.watch.collect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.web.Layout;

/** Slots of agents, which stay while the registry changes, and of racks. Not safe for use by several threads. */
final class Roster {

    private final Registry registry;
    private final PairTable pairs;
    private final Map<Integer, Integer> slots = new HashMap<>();
    private final List<AgentInfo> agents = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    private final Map<Layout.Rack, Integer> racks = new HashMap<>();
    private Layout layout = Layout.of(-1, List.of());
    private long epoch = Long.MIN_VALUE;

    Roster(Registry registry, PairTable pairs) {
        this.registry = registry;
        this.pairs = pairs;
    }

    /** Takes the registry's list when it is another one. */
    boolean look() {
        long now = registry.epoch();
        if (now == epoch) {
            return false;
        }
        epoch = now;
        List<AgentInfo> known = registry.agents();
        Set<Integer> ids = new HashSet<>();
        known.forEach(agent -> ids.add(agent.id()));
        slots.entrySet().removeIf(entry -> {
            boolean gone = !ids.contains(entry.getKey());
            if (gone) {
                free.add(entry.getValue());
            }
            return gone;
        });
        for (AgentInfo agent : known) {
            Integer slot = slots.get(agent.id());
            if (slot == null) {
                slot = add(agent);
            }
            agents.set(slot, agent);
            racks.putIfAbsent(rack(agent), racks.size());
        }
        layout = Layout.of(now, known);
        return true;
    }

    private int add(AgentInfo agent) {
        int slot = free.isEmpty() ? agents.size() : free.remove(free.size() - 1);
        if (slot == agents.size()) {
            agents.add(agent);
            pairs.grow(agents.size());
        } else {
            pairs.forget(slot);
        }
        slots.put(agent.id(), slot);
        return slot;
    }

    static Layout.Rack rack(AgentInfo agent) {
        return new Layout.Rack(agent.pod(), agent.rack());
    }

    Layout layout() {
        return layout;
    }

    /** Returns the slot of an agent; -1 for one that the registry does not have. */
    int slot(int id) {
        return slots.getOrDefault(id, -1);
    }

    AgentInfo agent(int slot) {
        return agents.get(slot);
    }

    int rackOf(int slot) {
        return racks.get(rack(agents.get(slot)));
    }

    /** Returns the ids by slot. */
    int[] ids() {
        return agents.stream().mapToInt(AgentInfo::id).toArray();
    }

    int size() {
        return agents.size();
    }

    boolean isTaken(int slot) {
        return slots.getOrDefault(agents.get(slot).id(), -1) == slot;
    }

    Registry registry() {
        return registry;
    }
}
