package org.jvrpc.recording.json;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.api.schema.TypeText;
import org.jvrpc.api.wire.Values;
import org.jvrpc.api.wire.WireReader;

/** Reads values of types on the wire as JSON, in the form that {@link JsonWriter} takes. */
public final class JsonReader {

    private final TypeText.Reader types;

    /** @param types of the method whose values are read */
    public JsonReader(TypeText.Reader types) {
        this.types = types;
    }

    /** Reads a value. @throws RpcException INTERNAL when the bytes are none */
    public Object read(TypeText type, WireReader in) {
        if (type instanceof TypeText.Basic basic) {
            return basic(basic.name(), in);
        }
        if (type instanceof TypeText.Maybe maybe) {
            return in.readPresence() ? read(maybe.value(), in) : null;
        }
        if (type instanceof TypeText.Constants constants) {
            return constant(constants.layout(), in);
        }
        if (type instanceof TypeText.Components record) {
            return record(record.layout(), in);
        }
        if (type instanceof TypeText.Sequence sequence) {
            return sequence(sequence.element(), in);
        }
        if (type instanceof TypeText.PrimitiveArray array) {
            return array.element().equals("byte") ? Base64.getEncoder().encodeToString(in.readBytes())
                    : sequence(new TypeText.Basic(array.element()), in);
        }
        if (type instanceof TypeText.Entries entries) {
            return entries(entries, in);
        }
        throw new RpcException(Status.UNIMPLEMENTED, ((TypeText.Graph) type).name() + " travels as an object graph,"
                + " which only a program with its classes can read");
    }

    private List<Object> sequence(TypeText element, WireReader in) {
        int count = in.readCount(1);
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(read(element, in));
        }
        return elements;
    }

    private Object entries(TypeText.Entries type, WireReader in) {
        int count = in.readCount(2);
        Map<String, Object> members = new LinkedHashMap<>();
        List<List<Object>> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object key = read(type.key(), in);
            Object value = read(type.value(), in);
            members.put(String.valueOf(key), value);
            List<Object> pair = new ArrayList<>();
            pair.add(key);
            pair.add(value);
            pairs.add(pair);
        }
        TypeText key = type.key().bare();
        boolean named = key instanceof TypeText.Basic || key instanceof TypeText.Constants;
        return named && pairs.stream().allMatch(pair -> pair.get(0) != null) ? members : pairs;
    }

    private static String constant(Layout layout, WireReader in) {
        int ordinal = in.readShort() & 0xffff;
        if (ordinal >= layout.parts().size()) {
            throw new RpcException(Status.INTERNAL, "constant ordinal=" + ordinal + " of " + layout.name()
                    + " constants=" + layout.parts().size());
        }
        return layout.parts().get(ordinal).text();
    }

    private Map<String, Object> record(Layout layout, WireReader in) {
        in.descend();
        Map<String, Object> members = components(layout, in);
        if (members.isEmpty()) {
            in.readByte();
        }
        in.ascend();
        return members;
    }

    /** Reads the components of a declared exception; those that have not travelled are left out. */
    public Map<String, Object> components(Layout layout, WireReader in) {
        List<TypeText.Component> all = types.components(layout);
        int place = types.place(layout);
        Map<String, Object> members = new LinkedHashMap<>();
        for (TypeText.Component component : place < 0 ? all : all.subList(0, Math.min(all.size(), in.fields(place)))) {
            members.put(component.name(), read(component.type(), in));
        }
        return members;
    }

    private static Object basic(String name, WireReader in) {
        return switch (name) {
            case "boolean" -> in.readBoolean();
            case "byte" -> in.readByte();
            case "short" -> in.readShort();
            case "char" -> String.valueOf(in.readChar());
            case "int" -> in.readInt();
            case "long" -> in.readLong();
            case "float" -> in.readFloat();
            case "double" -> in.readDouble();
            case "String" -> in.readString();
            case "ByteBuffer" -> base64(in.readBuffer());
            case "Duration" -> Values.readDuration(in).toString();
            case "Instant" -> Values.readInstant(in).toString();
            case "UUID" -> Values.readUuid(in).toString();
            case "BigInteger" -> Values.readBigInteger(in);
            default -> Values.readBigDecimal(in);
        };
    }

    private static String base64(ByteBuffer buffer) {
        return Base64.getEncoder().encodeToString(buffer.array());
    }
}
