package org.jvrpc.watch.drift;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jvrpc.watch.drift.ConfigurationSource.Kind;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads what is wanted. Nodes are looked at, and no object is made of them; the schema leads the way, so that no depth
 * and no alias leads further than it does. All mistakes are told at once, each with line, column and path.
 */
final class DesiredReader {

    static final int MOST_BYTES = 1 << 20;

    private static final int MOST_ALIASES = 10;
    private static final int MOST_DEPTH = 30;
    private static final int MOST_MISTAKES = 20;
    private static final int MOST_SCALAR = 200;
    private static final int MOST_PATH = 400;
    /** What a terminal may obey, and what ends a line. */
    private static final String UNSEEN = "[\\p{Cntrl}\\x80-\\x9f\\u2028\\u2029]";
    private static final Set<Tag> TAGS = Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL);
    private static final String OVERRIDES = "overrides";
    private static final String MATCH = "match";

    private final String file;
    private final List<String> mistakes = new ArrayList<>();
    private final List<Desired.Rule> rules = new ArrayList<>();

    DesiredReader(String file) {
        this.file = file;
    }

    /** Returns what stands in a regular file of so many bytes at most, which is UTF-8. */
    static String text(Path file, int mostBytes) throws IOException, DesiredException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new DesiredException(List.of(file + ": not a regular file"));
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(mostBytes + 1);
        }
        if (bytes.length > mostBytes) {
            throw new DesiredException(List.of(file + ": longer than " + mostBytes + " bytes"));
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new DesiredException(List.of(file + ": not UTF-8"));
        }
    }

    /** Returns the root of a text of so many bytes at most; null for an empty one. */
    static Node compose(String file, String text, int mostBytes) throws DesiredException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(MOST_ALIASES);
        options.setNestingDepthLimit(MOST_DEPTH);
        options.setCodePointLimit(mostBytes);
        // JSON may be indented with tabs, which YAML takes for nothing
        String plain = text.stripLeading().startsWith("{") ? text.replace('\t', ' ') : text;
        try {
            return new Yaml(new SafeConstructor(options)).compose(new StringReader(plain));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            throw new DesiredException(List.of(place(file, mark)
                    + (e.getContext() == null ? "" : oneLine(e.getContext()) + ", ") + oneLine(e.getProblem())));
        } catch (YAMLException e) {
            throw new DesiredException(List.of(file + ": " + oneLine(e.getMessage())));
        } catch (IllegalArgumentException e) { // SnakeYAML's, for instance of "\x" at the end of a file
            throw new DesiredException(List.of(file + ": an escape in quotes is none: " + oneLine(e.getMessage())));
        }
    }

    private static String oneLine(String text) {
        return text == null ? "not YAML" : text.replaceAll("\\s+", " ").replaceAll(UNSEEN, "?");
    }

    private static String place(String file, Mark mark) {
        return mark == null ? file + ": " : file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": ";
    }

    Desired read(String text) throws DesiredException {
        Node root = compose(file, text, MOST_BYTES);
        if (root == null) {
            throw new DesiredException(List.of(file + ": nothing is wanted here, not even fabric or hosts"));
        }
        for (NodeTuple entry : entries(root, "")) {
            String name = key(entry);
            switch (name) {
                case "fabric" -> section(entry.getValueNode(), Kind.SWITCH, name, List.of(), false);
                case "hosts" -> section(entry.getValueNode(), Kind.HOST, name, List.of(), false);
                default -> unknown(entry, "", List.of("fabric", "hosts"));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new DesiredException(mistakes);
        }
        return new Desired(rules);
    }

    // ---- sections

    private void section(Node node, Kind kind, String path, List<String> outer, boolean isOverride) {
        SortedMap<String, String> values = new TreeMap<>();
        SortedMap<String, String> ofQps = new TreeMap<>();
        List<String> globs = new ArrayList<>(outer);
        Node overrides = null;
        for (NodeTuple entry : entries(node, path)) {
            String name = key(entry);
            Node value = entry.getValueNode();
            String here = path + "." + name;
            if (name.equals(MATCH) && !isOverride) {
                addGlob(globs, value, here);
            } else if (name.equals(OVERRIDES) && !isOverride) {
                overrides = value;
            } else if (name.equals("dscp")) {
                dscp(value, here, values);
            } else if (name.equals("shares")) {
                numbered(value, here, Schema.PRIORITY_MOST, values, number -> "queue." + number + ".share", kind);
            } else if (name.equals("qp") && kind == Kind.HOST) {
                group(value, Kind.QP, here, "", ofQps);
            } else {
                member(entry, kind, path, "", values);
            }
        }
        String where = place(file, node.getStartMark()) + path;
        rules.add(new Desired.Rule(kind, globs, values, where));
        rules.add(new Desired.Rule(Kind.QP, globs, ofQps, where + ".qp"));
        if (overrides != null) {
            for (NodeTuple entry : entries(overrides, path + "." + OVERRIDES)) {
                List<String> inner = new ArrayList<>(globs);
                addGlob(inner, entry.getKeyNode(), path + "." + OVERRIDES);
                section(entry.getValueNode(), kind, path + "." + OVERRIDES + "." + key(entry), inner, true);
            }
        }
    }

    private void addGlob(List<String> globs, Node node, String path) {
        String glob = scalar(node, path);
        if (glob != null && (glob.isEmpty() || glob.length() > Glob.MOST)) {
            mistake(node, path, "a name has 1 to " + Glob.MOST + " characters");
        } else if (glob != null) {
            globs.add(glob);
        }
    }

    /** Reads a key of the schema, or a group of them. */
    private void member(NodeTuple entry, Kind kind, String path, String prefix, SortedMap<String, String> values) {
        String name = key(entry);
        String full = prefix + name;
        Node value = entry.getValueNode();
        Schema.Key known = Schema.keys(kind).get(full);
        boolean isGroup = Schema.keys(kind).keySet().stream().anyMatch(key -> key.startsWith(full + "."));
        if (isGroup && value instanceof MappingNode) {
            if (known != null) {
                values.put(full, "on");
            }
            group(value, kind, path + "." + name, full + ".", values);
        } else if (known != null) {
            leaf(value, known, path + "." + name, full, values);
        } else if (isGroup) {
            mistake(value, path + "." + name, "keys are expected: " + names(kind, full + "."));
        } else {
            Collection<String> names = names(kind, prefix);
            if (prefix.isEmpty() && kind != Kind.QP) {
                names.addAll(List.of("dscp", "shares", MATCH, OVERRIDES));
                names.addAll(kind == Kind.HOST ? List.of("qp") : List.of());
            }
            unknown(entry, path, names);
        }
    }

    private void group(Node node, Kind kind, String path, String prefix, SortedMap<String, String> values) {
        for (NodeTuple entry : entries(node, path)) {
            member(entry, kind, path, prefix, values);
        }
    }

    private static Collection<String> names(Kind kind, String prefix) {
        Set<String> names = new TreeSet<>();
        for (String key : Schema.keys(kind).keySet()) {
            if (key.startsWith(prefix)) {
                String rest = key.substring(prefix.length());
                names.add(rest.contains(".") ? rest.substring(0, rest.indexOf('.')) : rest);
            }
        }
        return names;
    }

    private void leaf(Node node, Schema.Key known, String path, String key, SortedMap<String, String> values) {
        String text = known.form() == Form.PRIORITIES && node instanceof SequenceNode list ? joined(list, path)
                : scalar(node, path);
        if (text != null) {
            try {
                values.put(key, known.normal(text));
            } catch (IllegalArgumentException e) {
                mistake(node, path, e.getMessage());
            }
        }
    }

    private String joined(SequenceNode list, String path) {
        List<String> parts = new ArrayList<>();
        for (Node part : list.getValue()) {
            String text = scalar(part, path);
            if (text == null) {
                return null;
            }
            parts.add(text);
        }
        return parts.isEmpty() ? Form.NONE : String.join(",", parts);
    }

    // ---- DSCP to class to queue

    /** Reads {@code 26: 3}, or {@code 26: {class: 3, queue: 3}}. */
    private void dscp(Node node, String path, SortedMap<String, String> values) {
        for (NodeTuple entry : entries(node, path)) {
            Integer number = number(entry, path, Schema.DSCP_MOST);
            String here = path + "." + key(entry);
            if (number == null) {
                continue;
            }
            String key = "dscp." + number + ".class";
            if (entry.getValueNode() instanceof MappingNode) {
                SortedMap<String, String> two = new TreeMap<>();
                for (NodeTuple part : entries(entry.getValueNode(), here)) {
                    if (List.of("class", "queue").contains(key(part))) {
                        leaf(part.getValueNode(), Schema.key(Kind.SWITCH, key), here + "." + key(part), key(part), two);
                    } else {
                        unknown(part, here, List.of("class", "queue"));
                    }
                }
                queue(entry, here, key, two, values);
            } else {
                leaf(entry.getValueNode(), Schema.key(Kind.SWITCH, key), here, key, values);
            }
        }
    }

    private void queue(NodeTuple entry, String path, String key, SortedMap<String, String> two,
            SortedMap<String, String> values) {
        String ofClass = two.get("class");
        if (ofClass == null) {
            mistake(entry.getValueNode(), path, "a class is missing");
            return;
        }
        values.put(key, ofClass);
        if (two.containsKey("queue")) {
            String before = values.put("class." + ofClass + ".queue", two.get("queue"));
            if (before != null && !before.equals(two.get("queue"))) {
                mistake(entry.getValueNode(), path, "class " + ofClass + " cannot have both queue " + before
                        + " and queue " + two.get("queue"));
            }
        }
    }

    private void numbered(Node node, String path, int most, SortedMap<String, String> values,
            IntFunction<String> key, Kind kind) {
        for (NodeTuple entry : entries(node, path)) {
            Integer number = number(entry, path, most);
            if (number != null) {
                String name = key.apply(number);
                leaf(entry.getValueNode(), Schema.key(kind, name), path + "." + number, name, values);
            }
        }
    }

    private Integer number(NodeTuple entry, String path, int most) {
        String text = key(entry);
        if (text.matches("[0-9]{1,3}") && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        mistake(entry.getKeyNode(), path, "'" + cut(text) + "' is no number, 0 to " + most);
        return null;
    }

    // ---- nodes

    /** Returns what is in a mapping, each key once. */
    private List<NodeTuple> entries(Node node, String path) {
        if (!(node instanceof MappingNode mapping) || !mapping.getTag().equals(Tag.MAP)) {
            mistake(node, path, "keys with values are expected");
            return List.of();
        }
        Set<String> seen = new HashSet<>();
        List<NodeTuple> entries = new ArrayList<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                mistake(entry.getKeyNode(), path, "a key is a word");
            } else if (!seen.add(key.getValue())) {
                mistake(key, path, "'" + cut(key.getValue()) + "' stands here twice");
            } else {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static String key(NodeTuple entry) {
        return ((ScalarNode) entry.getKeyNode()).getValue();
    }

    private String scalar(Node node, String path) {
        if (!(node instanceof ScalarNode found)) {
            mistake(node, path, "one value is expected");
        } else if (!TAGS.contains(found.getTag()) || found.getValue().isBlank()) {
            mistake(node, path, found.getTag().equals(Tag.NULL) || found.getValue().isBlank() ? "a value is missing"
                    : "a plain value is expected, not a " + found.getTag().getValue());
        } else if (found.getValue().length() > MOST_SCALAR) {
            mistake(node, path, "longer than " + MOST_SCALAR + " characters");
        } else {
            return found.getValue();
        }
        return null;
    }

    private void unknown(NodeTuple entry, String path, Collection<String> known) {
        String name = key(entry);
        String nearest = Nearest.of(cut(name), known);
        mistake(entry.getKeyNode(), path, "unknown key '" + cut(name) + "'" + (nearest != null
                ? ", did you mean '" + nearest + "'?" : "; known are " + String.join(", ", known)));
    }

    private void mistake(Node node, String path, String what) {
        if (mistakes.size() < MOST_MISTAKES) {
            String where = path.isEmpty() ? "" : cut(path, MOST_PATH) + ": ";
            mistakes.add(place(file, node.getStartMark()) + (where + what).replaceAll(UNSEEN, "?"));
        }
    }

    private static String cut(String text) {
        return cut(text, MOST_SCALAR / 4);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }
}
