package org.jvrpc.benchmarks.jmh;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.benchmarks.jvrpc.BenchOrder;
import org.jvrpc.benchmarks.jvrpc.CodecService;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Encoding and then decoding a record, or a list of records. Kryo requires registration, as jvRPC has it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

    /** Records in the list. */
    public static final int LIST_LENGTH = 20;

    private static final int BUFFER_BYTES = 1 << 16;

    /** What is encoded: {@code record} or {@code list}. */
    @Param({"record", "list"})
    public String shape;

    private Object value;
    private Object decoded;
    private BenchOrder order;
    private List<BenchOrder> orders;
    private boolean list;
    private LoopbackChannel channel;
    private CodecService stub;
    private final Kryo kryo = new Kryo();
    private final Output output = new Output(BUFFER_BYTES);
    private final Input input = new Input(output.getBuffer());

    /** Keeps what was decoded. */
    private final class Handler implements CodecService {

        @Override
        public void take(BenchOrder order) {
            decoded = order;
        }

        @Override
        public void takeAll(List<BenchOrder> orders) {
            decoded = orders;
        }
    }

    /** Makes the value and the codecs. */
    @Setup
    public void setUp() {
        list = shape.equals("list");
        order = BenchOrder.of(1);
        orders = new ArrayList<>(LongStream.range(0, LIST_LENGTH).mapToObj(BenchOrder::of).toList());
        value = list ? orders : order;
        ServiceDescriptor<CodecService> service = ServiceDescriptor.of(CodecService.class);
        channel = new LoopbackChannel(service.skeleton(new Handler()));
        stub = service.stub(channel);
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        kryo.register(BenchOrder.class);
        kryo.register(BenchOrder.Side.class);
        kryo.register(ArrayList.class);
    }

    /** The generated stub and skeleton. */
    @Benchmark
    public Object jvrpc() {
        if (list) {
            stub.takeAll(orders);
        } else {
            stub.take(order);
        }
        return decoded;
    }

    /** Kryo, over arrays that are used again. */
    @Benchmark
    public Object kryo() {
        output.reset();
        kryo.writeObject(output, value);
        input.setBuffer(output.getBuffer(), 0, output.position());
        return kryo.readObject(input, value.getClass());
    }

    /** Java serialization. */
    @Benchmark
    public Object java() throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialized()))) {
            return in.readObject();
        }
    }

    private byte[] serialized() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    /** Returns the encoded length of a shape by a codec, after checking that it decodes to an equal value. */
    public static int encodedBytes(String shape, String codec) throws IOException, ClassNotFoundException {
        CodecBenchmark benchmark = new CodecBenchmark();
        benchmark.shape = shape;
        benchmark.setUp();
        Object decoded = switch (codec) {
            case "jvrpc" -> benchmark.jvrpc();
            case "kryo" -> benchmark.kryo();
            default -> benchmark.java();
        };
        if (!decoded.equals(benchmark.value)) {
            throw new IllegalStateException("codec=" + codec + " decodes " + benchmark.value + " to " + decoded);
        }
        return switch (codec) {
            case "jvrpc" -> benchmark.channel.argumentBytes();
            case "kryo" -> benchmark.output.position();
            default -> benchmark.serialized().length;
        };
    }
}
