package org.jvrpc.recording.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.api.schema.TypeText;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireWriter;

/**
 * Writes JSON as values of types on the wire. Bytes are base64, times as ISO 8601 has them, enums by name, records by
 * the names of all their components but those that may be null; a map is an object, or an array of pairs.
 */
public final class JsonWriter {

    private final TypeText.Reader types;
    private final WireWriter out;

    /** @param types of the method whose values are written */
    public JsonWriter(TypeText.Reader types, WireWriter out) {
        this.types = types;
        this.out = out;
    }

    /**
     * Writes a value.
     *
     * @param where for messages, {@code argument 1}
     * @throws MisfitException when it is none of that type
     */
    public void write(TypeText type, Object json, String where) {
        if (type instanceof TypeText.Basic basic) {
            basic(basic.name(), json, where);
        } else if (type instanceof TypeText.Maybe maybe) {
            if (out.writePresence(json != null)) {
                write(maybe.value(), json, where);
            }
        } else if (type instanceof TypeText.Constants constants) {
            constant(constants.layout(), json, where);
        } else if (type instanceof TypeText.Components record) {
            record(record.layout(), json, where);
        } else if (type instanceof TypeText.Sequence sequence) {
            sequence(sequence.element(), list(json, "an array", where), where);
        } else if (type instanceof TypeText.PrimitiveArray array) {
            array(array.element(), json, where);
        } else if (type instanceof TypeText.Entries entries) {
            entries(entries, json, where);
        } else {
            throw new MisfitException(where + ": " + ((TypeText.Graph) type).name() + " travels as an object graph,"
                    + " which only a program with its classes can write");
        }
    }

    private static List<?> list(Object json, String expected, String where) {
        if (json instanceof List<?> list) {
            return list;
        }
        throw new MisfitException(where, expected, json);
    }

    private void sequence(TypeText element, List<?> elements, String where) {
        out.writeCount(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            write(element, elements.get(i), where + "[" + i + "]");
        }
    }

    private void array(String element, Object json, String where) {
        if (element.equals("byte") && json instanceof String text) {
            out.writeBytes(bytes(text, where));
        } else {
            sequence(new TypeText.Basic(element), list(json, element.equals("byte") ? "base64 or an array of numbers"
                    : "an array of " + element, where), where);
        }
    }

    private static byte[] bytes(String text, String where) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new MisfitException(where, "base64", text);
        }
    }

    private void entries(TypeText.Entries type, Object json, String where) {
        if (json instanceof Map<?, ?> members) {
            out.writeCount(members.size());
            members.forEach((key, value) -> {
                write(type.key(), keyOf(type.key(), (String) key), where + " key \"" + key + "\"");
                write(type.value(), value, where + "." + key);
            });
            return;
        }
        List<?> pairs = list(json, "an object or an array of [key, value]", where);
        out.writeCount(pairs.size());
        for (int i = 0; i < pairs.size(); i++) {
            String at = where + "[" + i + "]";
            if (!(pairs.get(i) instanceof List<?> pair) || pair.size() != 2) {
                throw new MisfitException(at, "[key, value]", pairs.get(i));
            }
            write(type.key(), pair.get(0), at + "[0]");
            write(type.value(), pair.get(1), at + "[1]");
        }
    }

    /** Members' names are strings: those of numbers and truths are read as such. */
    private static Object keyOf(TypeText type, String name) {
        TypeText bare = type.bare();
        return bare instanceof TypeText.Basic basic && !basic.isText() ? Json.read(name) : name;
    }

    private void constant(Layout layout, Object json, String where) {
        for (int i = 0; i < layout.parts().size(); i++) {
            if (layout.parts().get(i).text().equals(json)) {
                out.writeShort((short) i);
                return;
            }
        }
        throw new MisfitException(where, "one of " + layout.parts().stream().map(Layout.Part::text).toList(), json);
    }

    private void record(Layout layout, Object json, String where) {
        out.descend();
        if (components(layout, json, where) == 0) {
            out.writeByte((byte) 0);
        }
        out.ascend();
    }

    /**
     * Writes the components of a declared exception.
     *
     * @return how many travel
     * @throws MisfitException when they are not those
     */
    public int components(Layout layout, Object json, String where) {
        List<TypeText.Component> components = types.components(layout);
        if (!(json instanceof Map<?, ?> members)) {
            throw new MisfitException(where, "an object with " + names(components), json);
        }
        for (Object name : members.keySet()) {
            if (components.stream().noneMatch(component -> component.name().equals(name))) {
                throw new MisfitException(where + ": " + layout.name() + " has no component \"" + name + "\": it has "
                        + names(components));
            }
        }
        int place = types.place(layout);
        int travelling = place < 0 ? components.size() : Math.min(components.size(), out.fields(place));
        for (TypeText.Component component : components.subList(0, travelling)) {
            if (!members.containsKey(component.name()) && !(component.type() instanceof TypeText.Maybe)) {
                throw new MisfitException(where + ": component \"" + component.name() + "\" of " + layout.name()
                        + " is missing");
            }
            write(component.type(), members.get(component.name()), where + "." + component.name());
        }
        return travelling;
    }

    private static String names(List<TypeText.Component> components) {
        return components.stream().map(TypeText.Component::name).toList().toString();
    }

    private void basic(String name, Object json, String where) {
        switch (name) {
            case "boolean" -> {
                if (!(json instanceof Boolean truth)) {
                    throw new MisfitException(where, "true or false", json);
                }
                out.writeBoolean(truth);
            }
            case "byte" -> out.writeByte((byte) whole(name, json, Byte.MIN_VALUE, Byte.MAX_VALUE, where));
            case "short" -> out.writeShort((short) whole(name, json, Short.MIN_VALUE, Short.MAX_VALUE, where));
            case "int" -> out.writeInt((int) whole(name, json, Integer.MIN_VALUE, Integer.MAX_VALUE, where));
            case "long" -> out.writeLong(whole(name, json, Long.MIN_VALUE, Long.MAX_VALUE, where));
            case "float" -> out.writeFloat((float) real(name, json, where));
            case "double" -> out.writeDouble(real(name, json, where));
            case "BigInteger" -> Values.writeBigInteger(out, integer(name, json, where));
            case "BigDecimal" -> Values.writeBigDecimal(out, decimal(name, json, where));
            default -> text(name, json, where);
        }
    }

    private void text(String name, Object json, String where) {
        if (!(json instanceof String text)) {
            throw new MisfitException(where, name.equals("char") ? "a string of one char" : "a string for " + name,
                    json);
        }
        try {
            switch (name) {
                case "String" -> out.writeString(text);
                case "ByteBuffer" -> out.writeBytes(bytes(text, where));
                case "Duration" -> Values.writeDuration(out, Duration.parse(text));
                case "Instant" -> Values.writeInstant(out, Instant.parse(text));
                case "UUID" -> Values.writeUuid(out, UUID.fromString(text));
                default -> {
                    if (text.length() != 1) {
                        throw new MisfitException(where, "a string of one char", json);
                    }
                    out.writeChar(text.charAt(0));
                }
            }
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new MisfitException(where, "a string for " + name + ", such as " + example(name), json);
        }
    }

    private static String example(String name) {
        return switch (name) {
            case "Duration" -> "\"PT1.5S\"";
            case "Instant" -> "\"2026-01-31T08:00:00Z\"";
            default -> "\"123e4567-e89b-12d3-a456-426614174000\"";
        };
    }

    private static long whole(String name, Object json, long least, long most, String where) {
        BigInteger value = integer(name, json, where);
        if (value.compareTo(BigInteger.valueOf(least)) < 0 || value.compareTo(BigInteger.valueOf(most)) > 0) {
            throw new MisfitException(where, name + " from " + least + " to " + most, json);
        }
        return value.longValue();
    }

    private static BigInteger integer(String name, Object json, String where) {
        BigDecimal value = decimal(name, json, where);
        try {
            return value.scale() < -1000 ? notWhole(name, json, where) : value.toBigIntegerExact();
        } catch (ArithmeticException e) {
            return notWhole(name, json, where);
        }
    }

    private static BigInteger notWhole(String name, Object json, String where) {
        throw new MisfitException(where, "a whole number for " + name, json);
    }

    /** Numbers may stand in quotes, as those do that are longer than what JavaScript can read. */
    private static BigDecimal decimal(String name, Object json, String where) {
        try {
            return json instanceof BigDecimal number ? number
                    : json instanceof Number number ? new BigDecimal(number.toString())
                    : json instanceof String text ? new BigDecimal(text) : noNumber(name, json, where);
        } catch (NumberFormatException e) {
            return noNumber(name, json, where);
        }
    }

    private static BigDecimal noNumber(String name, Object json, String where) {
        throw new MisfitException(where, "a number for " + name, json);
    }

    private static double real(String name, Object json, String where) {
        if (json instanceof String text && List.of("NaN", "Infinity", "-Infinity").contains(text)) {
            return Double.parseDouble(text);
        }
        if (json instanceof Double || json instanceof Float) {
            return ((Number) json).doubleValue(); // as it was read, with the sign of zero
        }
        double value = decimal(name, json, where).doubleValue();
        if (Double.isInfinite(name.equals("float") ? (float) value : value)) {
            throw new MisfitException(where, "a number that a " + name + " can hold", json);
        }
        return value;
    }
}
