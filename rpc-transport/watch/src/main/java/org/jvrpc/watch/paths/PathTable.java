package org.jvrpc.watch.paths;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.watch.Component;

/**
 * What one reading of a file says. An end of a way is an agent's name, or that of a rack behind {@link #RACK}. Not
 * changed after it is made.
 */
final class PathTable {

    static final String RACK = "rack:";
    static final PathTable EMPTY = new PathTable(Map.of(), Map.of(), List.of(), new Entries());

    private final Map<String, Integer> ends;
    private final Map<String, Long> incarnations;
    private final List<List<Component>> ways;
    private final Entries entries;
    private final Component[] tors;
    private final int[] torLines;
    private final Set<Integer> ofSeveral = new HashSet<>();
    private final String[] names;
    private String doubt;
    private int doubtLine = Integer.MAX_VALUE;

    /**
     * @param ends numbers of the names
     * @param incarnations of the agents whose ways hold for one start alone
     * @param ways by number: switches and the links between them, in order
     */
    PathTable(Map<String, Integer> ends, Map<String, Long> incarnations, List<List<Component>> ways, Entries entries) {
        this.ends = ends;
        this.incarnations = incarnations;
        this.ways = ways;
        this.entries = entries;
        tors = new Component[ends.size()];
        torLines = new int[ends.size()];
        names = new String[ends.size()];
        ends.forEach((name, end) -> names[end] = name);
        entries.each((from, to, way, line) -> {
            List<Component> parts = ways.get(way);
            hang(from, parts.get(0), line);
            hang(to, parts.get(parts.size() - 1), line);
        });
    }

    private void hang(int end, Component tor, int line) {
        if (tors[end] == null) {
            tors[end] = tor;
            torLines[end] = line;
        } else if (!tors[end].equals(tor)) {
            ofSeveral.add(end);
            int later = Math.max(line, torLines[end]);
            if (later < doubtLine) {
                doubtLine = later;
                boolean inOrder = torLines[end] < line;
                doubt = names[end] + " hangs on " + (inOrder ? tors[end] : tor).name() + " by line "
                        + Math.min(line, torLines[end]) + " and on " + (inOrder ? tor : tors[end]).name() + " by line "
                        + later;
            }
        }
    }

    /** Returns the number of an end; -1 for one without a way. */
    int end(String name) {
        return ends.getOrDefault(name, -1);
    }

    /** Returns whether what is said of an agent is about another start of it. */
    boolean isStale(String agent, long incarnation) {
        Long said = incarnations.get(agent);
        return said != null && said != incarnation;
    }

    /** Returns the way between two ends; null when none is told. */
    List<Component> way(int from, int to, int flow) {
        int way = entries.find(from, to, flow);
        return way < 0 ? null : ways.get(way);
    }

    /** Returns the switch that an end hangs on; null when there are several. */
    Component tor(int end) {
        return ofSeveral.contains(end) ? null : tors[end];
    }

    int size() {
        return entries.size();
    }

    /** Returns which end hangs on two switches, that may be one under two addresses; null when none does. */
    String doubt() {
        return doubt;
    }
}
