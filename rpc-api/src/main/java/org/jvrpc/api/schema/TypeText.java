package org.jvrpc.api.schema;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A type as signatures write it, taken apart: for programs that read and write values of services that they were built
 * without. Equal texts of one method are equal types.
 */
public sealed interface TypeText {

    /** Returns this, or what it may hold where it may be nothing. */
    default TypeText bare() {
        return this instanceof Maybe maybe ? maybe.value : this;
    }

    /** A primitive, or one of {@code String}, {@code ByteBuffer}, {@code Duration}, {@code UUID} and their like. */
    record Basic(String name) implements TypeText {

        private static final Map<String, Integer> FIXED = Map.of("boolean", 1, "byte", 1, "short", 2, "char", 2,
                "int", 4, "long", 8, "float", 4, "double", 8);

        /** Returns the bytes of a primitive; 0 for others. */
        public int fixedBytes() {
            return FIXED.getOrDefault(name, 0);
        }

        /** Returns true for what people write as words, not as a number or a truth. */
        public boolean isText() {
            return name.equals("char") || fixedBytes() == 0 && !name.startsWith("Big");
        }
    }

    /** An array of primitives. */
    record PrimitiveArray(String element) implements TypeText {
    }

    /** A value that may be null, or an optional one. */
    record Maybe(TypeText value) implements TypeText {
    }

    /** An array of references, a {@code List}, {@code Set} or {@code Collection}: the same bytes. */
    record Sequence(TypeText element) implements TypeText {
    }

    /** A map. */
    record Entries(TypeText key, TypeText value) implements TypeText {
    }

    /** A record, whose components' types are read by {@link Reader#components}, as it may hold others of its kind. */
    record Components(Layout layout) implements TypeText {
    }

    /** An enum. */
    record Constants(Layout layout) implements TypeText {
    }

    /** An object graph, which only those with its classes can read. */
    record Graph(String name) implements TypeText {
    }

    /**
     * A component with its type.
     *
     * @param name of the component
     */
    record Component(String name, TypeText type) {
    }

    /** Takes the types of one method apart. Any thread. */
    final class Reader {

        private static final List<String> OTHERS = List.of("String", "ByteBuffer", "Duration", "Instant", "UUID",
                "BigInteger", "BigDecimal");

        private final SortedMap<String, Layout> layouts;
        private final List<String> growing;
        private final Map<Layout, List<Component>> components = new ConcurrentHashMap<>();

        /** @param method of the service */
        public Reader(ServiceSchema service, MethodSchema method) {
            this.layouts = method.layouts();
            this.growing = service.growing().stream().map(Layout::name).toList();
        }

        /**
         * Returns the place of a record or exception among those of its service that have components with
         * {@code @Since}, by which {@link org.jvrpc.api.wire.WireWriter#fields} says how many travel; -1 for others.
         */
        public int place(Layout layout) {
            return growing.indexOf(layout.name());
        }

        /** Reads a type. @throws IllegalArgumentException when the text is none, or names a layout that is not there */
        public TypeText read(String text) {
            if (text.startsWith("object ")) {
                return new Graph(text.substring("object ".length()));
            }
            Layout layout = layouts.get(text);
            if (layout != null) {
                return layout.kind() == Layout.Kind.ENUM ? new Constants(layout) : new Components(layout);
            }
            Basic basic = new Basic(text);
            if (basic.fixedBytes() > 0 || OTHERS.contains(text)) {
                return basic;
            }
            if (text.endsWith("?")) {
                return new Maybe(read(text.substring(0, text.length() - 1)));
            }
            if (text.endsWith("[]")) {
                String element = text.substring(0, text.length() - 2);
                return new Basic(element).fixedBytes() > 0 ? new PrimitiveArray(element) : new Sequence(read(element));
            }
            return generic(text);
        }

        private TypeText generic(String text) {
            int open = text.indexOf('<');
            if (open < 0 || !text.endsWith(">")) {
                throw new IllegalArgumentException("unknown type: " + Split.brief(text));
            }
            List<String> arguments = Split.at(text.substring(open + 1, text.length() - 1), ',');
            return switch (text.substring(0, open)) {
                case "List", "Set", "Collection" -> new Sequence(read(arguments.get(0)));
                case "Optional", "OptionalInt", "OptionalLong", "OptionalDouble" -> new Maybe(read(arguments.get(0)));
                case "Map" -> new Entries(read(arguments.get(0)), read(arguments.get(1)));
                default -> throw new IllegalArgumentException("unknown type: " + Split.brief(text));
            };
        }

        /** Returns the components of a record or exception, in order. */
        public List<Component> components(Layout layout) {
            List<Component> known = components.get(layout);
            if (known == null) {
                known = layout.parts().stream().map(part -> component(part.text())).toList();
                components.put(layout, known);
            }
            return known;
        }

        private Component component(String text) {
            int colon = text.indexOf(':');
            return new Component(text.substring(0, colon), read(text.substring(colon + 1)));
        }
    }
}
