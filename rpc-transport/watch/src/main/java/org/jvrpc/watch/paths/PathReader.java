package org.jvrpc.watch.paths;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;

/**
 * Reads lines:
 *
 * <pre>
 * switch NAME ADDRESS...          the addresses under which a switch answers traceroute
 * agent NAME INCARNATION          ways from and to it hold for this start of it, in hexadecimal
 * path FROM TO FLOW HOP...        agents, or rack:NAME; a number or *; the switches from ToR to ToR
 * </pre>
 *
 * Empty lines and what follows a # do not count. A hop of which nothing is known is *. One thread.
 */
final class PathReader {

    static final int MOST_PATHS = 1 << 20;
    static final int MOST_HOPS = 30;

    private static final int MOST_NAME = 128;
    /** A pod and a rack of 128 bytes, with what stands for a slash. */
    private static final int MOST_END = 800;
    private static final int MOST_LINE = 8192;
    private static final int MOST_TOLD = 3;
    private static final int MOST_SHOWN = 40;
    private static final String UNKNOWN = "*";
    private static final Pattern SPACE = Pattern.compile("\\s+");

    /** Hops as they stand in the file. */
    private record Hops(List<String> names, int line) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Hops hops && hops.names.equals(names);
        }

        @Override
        public int hashCode() {
            return names.hashCode();
        }
    }

    private final Map<String, String> switches = new HashMap<>();
    private final Map<String, Integer> switchLines = new HashMap<>();
    private final Map<String, Long> incarnations = new HashMap<>();
    private final Map<String, Integer> ends = new HashMap<>();
    private final Map<Hops, Integer> hops = new LinkedHashMap<>();
    private final Map<String, String> words = new HashMap<>();
    private final Entries entries = new Entries();
    private final List<String> mistakes = new ArrayList<>();
    private int wrong;
    private int line;

    /** @return what it says. @throws IllegalArgumentException for what is wrong: names lines, in one line */
    PathTable read(BufferedReader in) throws IOException {
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            line++;
            try {
                take(text);
            } catch (IllegalArgumentException e) {
                mistake(line, e.getMessage());
            }
        }
        List<List<String>> named = named();
        if (wrong > 0) {
            StringJoiner all = new StringJoiner("; ");
            mistakes.forEach(all::add);
            throw new IllegalArgumentException(all + (wrong > mistakes.size()
                    ? "; " + (wrong - mistakes.size()) + " more lines are wrong" : ""));
        }
        return new PathTable(ends, incarnations, new Ways(named).all(), entries);
    }

    private void mistake(int at, String what) {
        wrong++;
        if (mistakes.size() < MOST_TOLD) {
            mistakes.add("line " + at + ": " + what);
        }
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private void take(String text) {
        if (text.length() > MOST_LINE) {
            throw new IllegalArgumentException("longer than " + MOST_LINE + " characters");
        }
        int comment = text.indexOf('#');
        String plain = (comment < 0 ? text : text.substring(0, comment)).strip();
        if (plain.isEmpty()) {
            return;
        }
        String[] fields = SPACE.split(plain);
        switch (fields[0]) {
            case "switch" -> takeSwitch(fields);
            case "agent" -> takeAgent(fields);
            case "path" -> takePath(fields);
            default -> throw new IllegalArgumentException("begins with " + shown(fields[0])
                    + ": switch, agent or path is wanted");
        }
    }

    private void takeSwitch(String[] fields) {
        expect(fields.length >= 2, "'switch NAME ADDRESS...' is wanted");
        String name = hop(fields[1]);
        for (int i = 1; i < fields.length; i++) {
            String address = hop(fields[i]);
            String before = switches.putIfAbsent(address, name);
            if (before != null && !before.equals(name)) {
                throw new IllegalArgumentException(shown(address) + " is " + shown(before) + " by line "
                        + switchLines.get(address) + ", and cannot be " + shown(name) + " too");
            }
            switchLines.putIfAbsent(address, line);
        }
    }

    private void takeAgent(String[] fields) {
        expect(fields.length == 3 && fields[2].matches("[0-9a-fA-F]{1,16}"),
                "'agent NAME INCARNATION' is wanted, the latter in hexadecimal");
        long incarnation = Long.parseUnsignedLong(fields[2], 16);
        Long before = incarnations.put(name(fields[1]), incarnation);
        expect(before == null || before == incarnation, "the agent has another incarnation in a line before");
    }

    private void takePath(String[] fields) {
        expect(fields.length >= 5, "'path FROM TO FLOW HOP...' is wanted");
        expect(fields.length - 4 <= MOST_HOPS, "more than " + MOST_HOPS + " hops");
        expect(fields[1].startsWith(PathTable.RACK) == fields[2].startsWith(PathTable.RACK),
                "a way leads from agent to agent or from rack to rack");
        int flow = flow(fields[3]);
        List<String> names = new ArrayList<>(fields.length - 4);
        for (int i = 4; i < fields.length; i++) {
            names.add(fields[i].equals(UNKNOWN) ? UNKNOWN : hop(fields[i]));
        }
        expect(!names.get(0).equals(UNKNOWN) && !names.get(names.size() - 1).equals(UNKNOWN),
                "the first and the last hop are ToRs and need a name each, also when they do not answer");
        int from = end(fields[1]);
        int to = end(fields[2]);
        expect(from != to || fields[1].startsWith(PathTable.RACK), "from and to are one agent");
        Hops way = new Hops(names, line);
        Integer known = hops.get(way);
        if (known == null) {
            known = hops.size();
            hops.put(way, known);
        }
        int other = entries.put(from, to, flow, known, line);
        if (other != 0) {
            throw new IllegalArgumentException("another way than in line " + other + " for the same flow");
        }
        expect(entries.size() <= MOST_PATHS, "more than " + MOST_PATHS + " paths");
    }

    private static int flow(String text) {
        if (text.equals("*")) {
            return Entries.ANY;
        }
        int flow = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            flow = flow * 10 + digit - '0';
            if (digit < '0' || digit > '9' || flow > Entries.MOST_FLOW) {
                throw new IllegalArgumentException("flow " + shown(text) + " is no number of 0 to "
                        + Entries.MOST_FLOW + ", nor *");
            }
        }
        return flow;
    }

    private int end(String text) {
        Integer known = ends.get(text);
        if (known == null) {
            expect(ends.size() < Entries.MOST_ENDS, "more than " + Entries.MOST_ENDS + " agents and racks");
            known = ends.size();
            ends.put(name(text), known);
        }
        return known;
    }

    private static String name(String text) {
        if (text.equals(PathTable.RACK) || text.length() > MOST_END || isStrange(text)) {
            throw new IllegalArgumentException(shown(text) + " is no name of an agent or a rack");
        }
        return text;
    }

    private static boolean isStrange(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /** Returns the one copy of a hop's name. */
    private String hop(String text) {
        String known = words.get(text);
        if (known != null) {
            return known;
        }
        if (text.length() > MOST_NAME || text.indexOf('<') >= 0 || text.indexOf('>') >= 0 || text.equals(UNKNOWN)
                || isStrange(text)) {
            throw new IllegalArgumentException(shown(text) + " is no name of a switch: 1 to " + MOST_NAME
                    + " characters without < and > are wanted");
        }
        words.put(text, text);
        return text;
    }

    /** Returns the hops of each way by the names of switches. */
    private List<List<String>> named() {
        List<List<String>> all = new ArrayList<>(hops.size());
        for (Hops way : hops.keySet()) {
            String[] names = new String[way.names.size()];
            Set<String> met = new HashSet<>();
            for (int i = 0; i < names.length; i++) {
                names[i] = switches.getOrDefault(way.names.get(i), way.names.get(i));
                if (!names[i].equals(UNKNOWN) && !met.add(names[i])) {
                    mistake(way.line, shown(names[i]) + " is met twice: a loop");
                }
            }
            all.add(Arrays.asList(names));
        }
        return all;
    }

    private static String shown(String text) {
        String start = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
        return "'" + start.replaceAll("[\\p{Cntrl}\\x80-\\x9f]", "?") + "'";
    }

    /** Makes components of names, each once. */
    private static final class Ways {
        private final List<List<String>> named;
        private final Set<String> tors = new HashSet<>();
        private final Map<String, Component> parts = new HashMap<>();

        Ways(List<List<String>> named) {
            this.named = named;
            for (List<String> way : named) {
                tors.add(way.get(0));
                tors.add(way.get(way.size() - 1));
            }
        }

        List<List<Component>> all() {
            List<List<Component>> all = new ArrayList<>(named.size());
            named.forEach(way -> all.add(way(way)));
            return all;
        }

        private List<Component> way(List<String> hops) {
            List<Component> way = new ArrayList<>(2 * hops.size() - 1);
            String before = null;
            for (int i = 0; i < hops.size(); i++) {
                String name = hops.get(i);
                if (name.equals(UNKNOWN)) {
                    if (hops.get(i - 1).equals(UNKNOWN)) {
                        continue; // two in a row are one gap
                    }
                    name = gap(before, known(hops, i));
                }
                if (before != null) {
                    way.add(part(Kind.LINK, before + '>' + name));
                }
                way.add(part(tors.contains(name) ? Kind.TOR : Kind.SWITCH, name));
                before = name;
            }
            return List.copyOf(way);
        }

        private static String known(List<String> hops, int from) {
            int at = from;
            while (hops.get(at).equals(UNKNOWN)) {
                at++;
            }
            return hops.get(at);
        }

        /** Returns the name of what lies between two switches, the same both ways. */
        private static String gap(String a, String b) {
            return a.compareTo(b) < 0 ? a + ".." + b : b + ".." + a;
        }

        private Component part(Kind kind, String name) {
            return parts.computeIfAbsent(kind.name() + ' ' + name, unused -> new Component(kind, name));
        }
    }
}
