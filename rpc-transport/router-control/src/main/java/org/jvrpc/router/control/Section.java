package org.jvrpc.router.control;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * An object of JSON whose fields are asked for one by one. What is missing, of another kind or out of range is a
 * mistake, and read as the default; so is what nobody asked for. One thread.
 */
final class Section {

    private static final int MOST_TEXT = 256;

    private final Mistakes mistakes;
    private final Node node;
    private final String path;
    private final Map<String, Node> fields = new LinkedHashMap<>();
    private final TreeSet<String> asked = new TreeSet<>();

    Section(Mistakes mistakes, Node node, String path) {
        this.mistakes = mistakes;
        this.node = node;
        this.path = path;
        if (!(node instanceof MappingNode mapping)) {
            mistake(node, "", "must be an object {...}");
            return;
        }
        for (NodeTuple entry : mapping.getValue()) {
            String name = entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
            if (fields.put(name, entry.getValueNode()) != null) {
                mistake(entry.getKeyNode(), name, "stands there twice");
            }
        }
    }

    /** Notes that something is wrong with the whole. */
    void mistake(String what) {
        mistake(node, "", what);
    }

    private void mistake(Node at, String name, String what) {
        String where = name.isEmpty() ? path : path.isEmpty() ? name : path + "." + name;
        mistakes.add(at.getStartMark(), (where.isEmpty() ? "the file" : where) + " " + what);
    }

    private Node field(String name, boolean mustBe) {
        asked.add(name);
        Node found = fields.get(name);
        if (found == null && mustBe) {
            mistake(node, name, "is missing");
        }
        return found;
    }

    private ScalarNode scalar(String name, boolean mustBe, Tag tag, String kind) {
        Node found = field(name, mustBe);
        if (found == null) {
            return null;
        }
        if (!(found instanceof ScalarNode scalar) || !found.getTag().equals(tag)
                || scalar.getValue().length() > MOST_TEXT) {
            mistake(found, name, "must be " + kind);
            return null;
        }
        return scalar;
    }

    /** Returns a text, made to something by what throws IllegalArgumentException when it cannot be. */
    <T> T text(String name, boolean mustBe, Function<String, T> make) {
        ScalarNode found = scalar(name, mustBe, Tag.STR, "a text in quotes, of up to " + MOST_TEXT + " characters");
        return found == null ? null : made(found, name, make);
    }

    private <T> T made(ScalarNode found, String name, Function<String, T> make) {
        try {
            return make.apply(found.getValue());
        } catch (IllegalArgumentException e) {
            mistake(found, name, "is wrong: " + e.getMessage());
            return null;
        }
    }

    boolean flag(String name, boolean otherwise) {
        ScalarNode found = scalar(name, false, Tag.BOOL, "true or false");
        return found == null ? otherwise : Boolean.parseBoolean(found.getValue());
    }

    /** Returns a number of a range. @param otherwise what it is where it is not said; null: it must be said */
    long number(String name, long least, long most, Long otherwise) {
        ScalarNode found = scalar(name, otherwise == null, Tag.INT, "a whole number");
        Long value = found == null ? otherwise : made(found, name, Long::valueOf);
        if (value != null && (value < least || value > most)) {
            mistake(found == null ? node : found, name, "is " + value + ", range " + least + " to " + most);
            value = null;
        }
        return value == null ? least : value;
    }

    /** Returns an object in this one; null for none. */
    Section section(String name) {
        Node found = field(name, false);
        return found == null ? null : new Section(mistakes, found, path.isEmpty() ? name : path + "." + name);
    }

    private List<Node> list(String name) {
        Node found = field(name, false);
        if (found == null) {
            return List.of();
        }
        if (!(found instanceof SequenceNode sequence)) {
            mistake(found, name, "must be a list [...]");
            return List.of();
        }
        return sequence.getValue();
    }

    /** Has each object of a list looked at, and what is not asked for in it told. */
    void each(String name, Consumer<Section> look) {
        int index = 0;
        for (Node one : list(name)) {
            String where = (path.isEmpty() ? "" : path + ".") + name + "[" + index++ + "]";
            Section section = new Section(mistakes, one, where);
            look.accept(section);
            section.end();
        }
    }

    /** Returns the texts of a list, as {@link #text}. */
    <T> List<T> texts(String name, Function<String, T> make) {
        List<T> texts = new ArrayList<>();
        for (Node one : list(name)) {
            if (one instanceof ScalarNode scalar && one.getTag().equals(Tag.STR)) {
                T made = made(scalar, name, make);
                if (made != null) {
                    texts.add(made);
                }
            } else {
                mistake(one, name, "must have texts in quotes only");
            }
        }
        return texts;
    }

    /** Tells of fields that nobody asked for. */
    void end() {
        fields.forEach((name, value) -> {
            if (!asked.contains(name)) {
                mistake(value, name, "is not known here; known are " + String.join(", ", asked));
            }
        });
    }
}
