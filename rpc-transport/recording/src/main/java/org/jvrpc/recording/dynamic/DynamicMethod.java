package org.jvrpc.recording.dynamic;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.TypeText;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.recording.json.JsonReader;
import org.jvrpc.recording.json.JsonWriter;
import org.jvrpc.recording.json.MisfitException;

/**
 * The values of one method as JSON, both ways. Where object graphs are among them, which only a program with their
 * classes can read, all of its values are {@code {"raw":"base64"}}: the bytes as they travelled. Many threads.
 */
public final class DynamicMethod {

    private static final String STREAM = "stream of ";
    private static final String INTO = "into ";
    private static final String RAW = "raw";
    private static final TypeText BYTES = new TypeText.PrimitiveArray("byte");

    private final MethodSchema schema;
    private final MethodDescriptor descriptor;
    private final TypeText.Reader types;
    private final JsonReader reader;
    private final boolean raw;
    private final boolean fillsBuffer;

    /** @param schema of a method of the service */
    public DynamicMethod(DynamicService service, MethodSchema schema) {
        this.schema = schema;
        this.descriptor = service.methods().get(service.schema().methods().indexOf(schema));
        this.types = new TypeText.Reader(service.schema(), schema);
        this.reader = new JsonReader(types);
        this.raw = schema.hasObjects();
        this.fillsBuffer = schema.parameters().stream().anyMatch(type -> type.startsWith(INTO));
    }

    /**
     * What a call was given.
     *
     * @param values of the parameters, but for streams and buffers that are filled; one, where they are raw
     * @param room of the buffer that is filled, in bytes; 0 without one
     */
    public record Given(List<Object> values, int room) {
    }

    /** Returns what is known of it. */
    public MethodSchema schema() {
        return schema;
    }

    /** Returns what the stub SPI knows of it. */
    public MethodDescriptor descriptor() {
        return descriptor;
    }

    /** Reads the arguments of a call. */
    public Given readArguments(WireReader in) {
        List<Object> values = new ArrayList<>();
        int room = 0;
        if (raw) {
            values.add(readRaw(in));
            return new Given(values, room);
        }
        for (String type : schema.parameters()) {
            if (type.startsWith(INTO)) {
                room = in.readInt();
            } else if (!type.startsWith(STREAM)) {
                values.add(reader.read(types.read(type), in));
            }
        }
        return new Given(values, room);
    }

    /** Writes the arguments of a call. @throws MisfitException when they do not fit */
    public void writeArguments(WireWriter out, Given given) {
        if (raw) {
            writeRaw(given.values.get(0), out);
            return;
        }
        int number = 0;
        for (String type : schema.parameters()) {
            if (type.startsWith(INTO)) {
                out.writeInt(given.room);
            } else if (!type.startsWith(STREAM)) {
                new JsonWriter(types, out).write(types.read(type), given.values.get(number), "argument " + ++number);
            }
        }
    }

    /**
     * Reads an answer; null of a method without a result.
     *
     * @param thrown 0, or the number of a declared exception
     * @throws DeclaredException the declared exception
     */
    public Object readAnswer(WireReader in, int thrown) {
        throwDeclared(in, thrown);
        if (schema.result().equals("void") && !fillsBuffer) {
            return null;
        }
        return raw ? readRaw(in) : reader.read(resultType(), in);
    }

    private TypeText resultType() {
        return fillsBuffer ? BYTES : types.read(schema.result());
    }

    /** Reads and throws a declared exception; nothing where the number is 0. */
    public void throwDeclared(WireReader in, int thrown) {
        if (thrown > schema.thrown().size()) {
            throw new RpcException(Status.INTERNAL, descriptor.fullName() + " does not declare exception number="
                    + thrown);
        }
        if (thrown > 0) {
            Layout layout = schema.thrown().get(thrown - 1);
            throw new DeclaredException(layout.name(), raw ? readRaw(in) : reader.components(layout, in));
        }
    }

    /** Answers a call. @throws MisfitException when the value is no result of this method */
    public void writeAnswer(ServerCall call, Object value) {
        WireWriter out = call.result();
        if (schema.result().equals("void") && !fillsBuffer) {
            return;
        }
        if (raw) {
            writeRaw(value, out);
        } else {
            new JsonWriter(types, out).write(resultType(), value, "the answer of " + schema.key());
        }
    }

    /** Answers a call by a declared exception. @throws MisfitException when this method declares no such */
    public void writeThrown(ServerCall call, DeclaredException thrown) {
        List<Layout> declared = schema.thrown();
        for (int i = 0; i < declared.size(); i++) {
            if (declared.get(i).name().equals(thrown.type())) {
                WireWriter out = call.exception(i + 1);
                if (raw) {
                    writeRaw(thrown.components(), out);
                } else {
                    new JsonWriter(types, out).components(declared.get(i), thrown.components(), thrown.type());
                }
                return;
            }
        }
        throw new MisfitException(schema.key() + " does not declare " + thrown.type());
    }

    /** Returns the codec of the elements of the stream among the arguments. */
    public StreamCodec<Object> argumentElements() {
        return elements(schema.parameters().stream().filter(type -> type.startsWith(STREAM)).findFirst().orElseThrow());
    }

    /** Returns the codec of the elements of the stream that is the result. */
    public StreamCodec<Object> resultElements() {
        return elements(schema.result());
    }

    private StreamCodec<Object> elements(String stream) {
        TypeText element = raw ? null : types.read(stream.substring(STREAM.length()));
        return new StreamCodec<>() {
            @Override
            public Object read(WireReader in) {
                return raw ? readRaw(in) : reader.read(element, in);
            }

            @Override
            public void write(WireWriter out, Object value) {
                if (raw) {
                    writeRaw(value, out);
                } else {
                    new JsonWriter(types, out).write(element, value, "an element of " + schema.key());
                }
            }

            @Override
            public int fixedBytes() {
                return element instanceof TypeText.Basic basic ? basic.fixedBytes() : 0;
            }
        };
    }

    private static Map<String, Object> readRaw(WireReader in) {
        byte[] bytes = new byte[in.remaining()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = in.readByte();
        }
        return Map.of(RAW, Base64.getEncoder().encodeToString(bytes));
    }

    private static void writeRaw(Object value, WireWriter out) {
        if (!(value instanceof Map<?, ?> members) || !(members.get(RAW) instanceof String text)) {
            throw new MisfitException("object graphs travel as they are, as {\"raw\":\"base64\"}, not as " + value);
        }
        for (byte each : Base64.getDecoder().decode(text)) {
            out.writeByte(each);
        }
    }
}
