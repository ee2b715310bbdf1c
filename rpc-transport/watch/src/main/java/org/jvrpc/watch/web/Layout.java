package org.jvrpc.watch.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jvrpc.watch.AgentInfo;

/**
 * Who is in the rows and columns of a matrix: hosts by pod, rack and name, numbers in names by value ({@code h9} before
 * {@code h10}). Not changed after it is made.
 */
public final class Layout {

    /** A rack of a pod: racks of two pods may have one name. */
    public record Rack(String pod, String name) { }

    private final long epoch;
    private final List<AgentInfo> hosts;
    private final List<Rack> racks = new ArrayList<>();
    private final int[] rackOf;

    private Layout(long epoch, List<AgentInfo> hosts) {
        this.epoch = epoch;
        this.hosts = hosts;
        this.rackOf = new int[hosts.size()];
        for (int i = 0; i < rackOf.length; i++) {
            Rack rack = new Rack(hosts.get(i).pod(), hosts.get(i).rack());
            if (racks.isEmpty() || !racks.get(racks.size() - 1).equals(rack)) {
                racks.add(rack);
            }
            rackOf[i] = racks.size() - 1;
        }
    }

    /**
     * Sorts the agents.
     *
     * @param epoch another one for each other list
     */
    public static Layout of(long epoch, List<AgentInfo> agents) {
        List<AgentInfo> sorted = new ArrayList<>(agents);
        sorted.sort(Comparator.comparing(AgentInfo::pod, Layout::compareNames)
                .thenComparing(AgentInfo::rack, Layout::compareNames)
                .thenComparing(AgentInfo::name, Layout::compareNames).thenComparingInt(AgentInfo::id));
        return new Layout(epoch, List.copyOf(sorted));
    }

    /** Returns which list it is of. */
    public long epoch() {
        return epoch;
    }

    /** Returns the hosts in order. */
    public List<AgentInfo> hosts() {
        return hosts;
    }

    /** Returns the racks in order. */
    public List<Rack> racks() {
        return Collections.unmodifiableList(racks);
    }

    /** Returns the rack of a host, as an index of {@link #racks()}. */
    public int rackOf(int host) {
        return rackOf[host];
    }

    /** Compares two names, runs of digits by their value; names that differ are never 0. */
    static int compareNames(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
                int endA = digits(a, i);
                int endB = digits(b, j);
                int compared = compareNumbers(a.substring(i, endA), b.substring(j, endB));
                if (compared != 0) {
                    return compared;
                }
                i = endA;
                j = endB;
            } else if (a.charAt(i) != b.charAt(j)) {
                return Character.compare(a.charAt(i), b.charAt(j));
            } else {
                i++;
                j++;
            }
        }
        int rest = Integer.compare(a.length() - i, b.length() - j);
        return rest != 0 ? rest : a.compareTo(b);
    }

    private static int compareNumbers(String a, String b) {
        String shortA = a.replaceFirst("^0+(?=.)", "");
        String shortB = b.replaceFirst("^0+(?=.)", "");
        int longer = Integer.compare(shortA.length(), shortB.length());
        return longer != 0 ? longer : shortA.compareTo(shortB);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int digits(String text, int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }
}
