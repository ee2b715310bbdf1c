package org.jvrpc.recording.dynamic;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.TypeText;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.StreamWriter;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.stub.StreamKind;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.recording.json.Json;
import org.jvrpc.recording.json.JsonReader;
import org.jvrpc.recording.json.JsonWriter;
import org.jvrpc.recording.json.MisfitException;

/** A call of a method by its signature, with JSON for what stubs take and return. One thread, and once. */
public final class DynamicCall {

    private static final String STREAM = "stream of ";
    private static final String INTO = "into ";
    /** Room for the result of a method that fills a buffer of its caller's. */
    private static final int ROOM = 1 << 20;

    private final MethodSchema method;
    private final MethodDescriptor descriptor;
    private final TypeText.Reader types;
    private final JsonReader reader;
    private final DynamicMethod values;
    private boolean fillsBuffer;
    /** What was wrong with an element of the stream that is sent. */
    private volatile MisfitException misfit;

    /** @param method of the service */
    public DynamicCall(DynamicService service, MethodSchema method) {
        this.method = method;
        this.descriptor = service.methods().get(service.schema().methods().indexOf(method));
        this.types = new TypeText.Reader(service.schema(), method);
        this.reader = new JsonReader(types);
        this.values = new DynamicMethod(service, method);
    }

    /** Returns the types of the arguments that are given one by one: not streams, nor buffers that are filled. */
    public static List<String> given(MethodSchema method) {
        return method.parameters().stream().filter(type -> !type.startsWith(STREAM) && !type.startsWith(INTO)).toList();
    }

    /**
     * Makes the call.
     *
     * @param arguments as many as {@link #given} says
     * @param elements of the stream among the arguments, a line each
     * @param answers takes the result, or each of a stream; nothing of a method without one
     * @param most how many elements of a stream are taken
     * @throws MisfitException when an argument does not fit
     * @throws DeclaredException when the handler throws what the method declares
     * @throws RpcException when it fails in another way
     */
    public void run(RpcChannel channel, List<Object> arguments, BufferedReader elements, Consumer<Object> answers,
            long most) {
        try {
            if (descriptor.streams().result()) {
                take(begin(channel, arguments, elements), answers, most);
            } else if (descriptor.oneWay()) {
                begin(channel, arguments, elements).send();
            } else {
                invoke(begin(channel, arguments, elements), answers);
            }
        } catch (RpcException e) {
            throw misfit != null ? misfit : e.getCause() instanceof DeclaredException declared ? declared : e;
        }
    }

    private ClientCall begin(RpcChannel channel, List<Object> arguments, BufferedReader elements) {
        boolean streams = descriptor.streams() != StreamKind.NONE;
        ClientCall call = streams ? channel.beginStream(descriptor) : channel.begin(descriptor);
        try {
            write(call, new ArrayList<>(arguments), elements);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private void write(ClientCall call, List<Object> arguments, BufferedReader elements) {
        WireWriter out = call.arguments();
        int number = 0;
        for (String type : method.parameters()) {
            if (type.startsWith(STREAM)) {
                TypeText element = types.read(type.substring(STREAM.length()));
                ((StreamCall) call).elements(lines(elements), new Elements(element));
            } else if (type.startsWith(INTO)) {
                fillsBuffer = true;
                out.writeInt(ROOM);
            } else {
                new JsonWriter(types, out).write(types.read(type), arguments.get(number), "argument " + ++number);
            }
        }
    }

    /** Elements of one type, as this call's signature has it. */
    private final class Elements implements StreamCodec<Object> {

        private final TypeText type;

        Elements(TypeText type) {
            this.type = type;
        }

        @Override
        public Object read(WireReader in) {
            return reader.read(type, in);
        }

        @Override
        public void write(WireWriter out, Object element) {
            try {
                Line line = (Line) element;
                new JsonWriter(types, out).write(type, line.json, "line " + line.number);
            } catch (MisfitException e) {
                misfit = e;
                throw e;
            }
        }

        @Override
        public int fixedBytes() {
            return type instanceof TypeText.Basic basic ? basic.fixedBytes() : 0;
        }
    }

    /** An element of the stream that is sent; null would be none. */
    private record Line(int number, Object json) {
    }

    private Flow.Publisher<Object> lines(BufferedReader elements) {
        return Streams.writing(writer -> {
            try {
                writeLines(elements, writer);
            } catch (MisfitException e) {
                misfit = e;
                throw e;
            }
        });
    }

    private static void writeLines(BufferedReader elements, StreamWriter<Object> writer) {
        int number = 0;
        try {
            for (String line = elements.readLine(); line != null; line = elements.readLine()) {
                number++;
                if (!line.isBlank()) {
                    writer.write(new Line(number, Json.read(line)));
                    writer.flush();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void invoke(ClientCall call, Consumer<Object> answers) {
        try {
            WireReader in = call.invoke();
            Object answer = values.readAnswer(in, call.thrown());
            if (fillsBuffer || !method.result().equals("void")) {
                answers.accept(answer);
            }
        } finally {
            call.close();
        }
    }

    private void take(ClientCall call, Consumer<Object> answers, long most) {
        TypeText element = types.read(method.result().substring(STREAM.length()));
        Flow.Publisher<Object> result = ((StreamCall) call).publish(new Elements(element), (in, thrown) -> {
            values.throwDeclared(in, thrown);
            return null;
        });
        try (StreamReader<Object> came = Streams.reader(result)) {
            for (long i = 0; i < most && came.hasNext(); i++) {
                answers.accept(came.next());
            }
        }
    }
}
