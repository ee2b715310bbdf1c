package org.jvrpc.watch.drift;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jvrpc.watch.JsonWriter;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * What was found somewhere else, as one object in JSON or YAML: {@code {"found":[{"kind":"host",
 * "subject":"h1/mlx5_0/1","netdev":"eth0","settings":{"mtu":"4200",…},"refused":{"trust":"no …",…}},…]}}. So many
 * hosts are compared in one place, and switches whose configuration something else reads. Keys that the schema does not
 * know are left out.
 */
public final class FoundFile {

    /** Some 1,500 ports, with a reason for each of their settings. */
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_SUBJECTS = 10_000;
    /** A host's file of one value has 4,096 bytes at most, which a reason may have the path of. */
    private static final int MOST_TEXT = 8192;

    private static final char NEXT_LINE = '\u0085';
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private FoundFile() {
    }

    /** One that was read from a file. */
    private record Found(Kind kind, String subject, Place place, SortedMap<String, Setting> read)
            implements ConfigurationSource {
    }

    /**
     * Returns what sources have now, as {@link #read} takes it: longer texts are cut.
     *
     * @throws IOException when it is longer than what is read
     */
    public static String write(List<ConfigurationSource> sources) throws IOException {
        String text = escaped(text(sources));
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes >= MOST_BYTES || sources.size() > MOST_SUBJECTS) {
            throw new IOException("what was found has " + sources.size() + " subjects in " + bytes + " bytes, at most "
                    + MOST_SUBJECTS + " in " + MOST_BYTES + " are read again: print fewer at a time");
        }
        return text;
    }

    private static String text(List<ConfigurationSource> sources) {
        JsonWriter json = new JsonWriter().object().name("found").array();
        for (ConfigurationSource source : sources) {
            SortedMap<String, Setting> all = source.read();
            json.object().name("kind").value(source.kind().name().toLowerCase(Locale.ROOT)).name("subject")
                    .value(cut(source.subject())).name("netdev").value(cut(source.place().netdev())).name("settings")
                    .object();
            all.forEach((key, setting) -> {
                if (setting.refusal() == null) {
                    json.name(key).value(cut(setting.value()));
                }
            });
            json.end().name("refused").object();
            all.forEach((key, setting) -> {
                if (setting.refusal() != null) {
                    json.name(key).value(cut(setting.refusal()));
                }
            });
            json.end().end();
        }
        return json.end().end().toString();
    }

    /** Returns as much of a text as is read. */
    private static String cut(String text) {
        String some = text == null || text.isEmpty() ? "?" : text;
        int end = Math.min(some.length(), MOST_TEXT);
        boolean splits = end < some.length() && Character.isHighSurrogate(some.charAt(end - 1));
        return some.substring(0, splits ? end - 1 : end);
    }

    /** Returns JSON without the characters that YAML takes for line ends, or does not take. */
    private static String escaped(String json) {
        StringBuilder out = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == NEXT_LINE || c == BYTE_ORDER_MARK || !StreamReader.isPrintable(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /**
     * Reads a regular file of {@value #MOST_BYTES} bytes at most.
     *
     * @throws DesiredException when it is no such file; the message says where
     * @throws IOException when it cannot be read
     */
    public static List<ConfigurationSource> read(Path file) throws DesiredException, IOException {
        return parse(file.toString(), DesiredReader.text(file, MOST_BYTES));
    }

    /** Reads what stands in a file; the name is for messages. */
    static List<ConfigurationSource> parse(String name, String text) throws DesiredException {
        Node list = members(name, DesiredReader.compose(name, text, MOST_BYTES)).get("found");
        if (!(list instanceof SequenceNode sequence) || sequence.getValue().size() > MOST_SUBJECTS) {
            throw bad(name, list, "no list 'found' of " + MOST_SUBJECTS + " at most: this is to be what"
                    + " 'jvrpc drift --print' prints");
        }
        List<ConfigurationSource> all = new ArrayList<>();
        for (Node node : sequence.getValue()) {
            all.add(one(name, node));
        }
        return all;
    }

    private static ConfigurationSource one(String file, Node node) throws DesiredException {
        Map<String, Node> members = members(file, node);
        String subject = text(file, members.get("subject"), node);
        String netdev = members.containsKey("netdev") ? text(file, members.get("netdev"), node)
                : ConfigurationSource.Place.NONE.netdev();
        ConfigurationSource.Kind kind;
        try {
            kind = ConfigurationSource.Kind.valueOf(text(file, members.get("kind"), node).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw bad(file, members.get("kind"), "a kind is switch, host or qp");
        }
        SortedMap<String, Setting> settings = new TreeMap<>();
        for (String part : new String[] {"settings", "refused"}) {
            if (members.containsKey(part)) {
                for (Map.Entry<String, Node> entry : members(file, members.get(part)).entrySet()) {
                    String value = text(file, entry.getValue(), node);
                    if (Schema.key(kind, entry.getKey()) != null) {
                        settings.put(entry.getKey(), part.equals("refused") ? Setting.refused(value)
                                : Setting.of(value));
                    }
                }
            }
        }
        String[] names = subject.split("/");
        String device = names.length > 1 ? names[1] : subject;
        return new Found(kind, subject, new ConfigurationSource.Place(device, names.length > 2 ? names[2] : "1", netdev,
                "cc_params of " + device + "/"), settings);
    }

    private static Map<String, Node> members(String file, Node node) throws DesiredException {
        if (!(node instanceof MappingNode mapping)) {
            throw bad(file, node, "an object is expected here");
        }
        Map<String, Node> members = new TreeMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (members.put(text(file, entry.getKeyNode(), node), entry.getValueNode()) != null) {
                throw bad(file, entry.getKeyNode(), "a key stands here twice");
            }
        }
        return members;
    }

    private static String text(String file, Node node, Node around) throws DesiredException {
        if (node instanceof ScalarNode scalar && !scalar.getValue().isEmpty()
                && scalar.getValue().length() <= MOST_TEXT) {
            return scalar.getValue();
        }
        throw bad(file, node == null ? around : node, "a text of 1 to " + MOST_TEXT + " characters is expected here");
    }

    private static DesiredException bad(String file, Node node, String what) {
        return new DesiredException(List.of(file + (node == null ? "" : ":" + (node.getStartMark().getLine() + 1) + ":"
                + (node.getStartMark().getColumn() + 1)) + ": " + what));
    }
}
