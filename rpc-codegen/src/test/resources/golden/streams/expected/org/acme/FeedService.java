package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.stub.StreamKind;

/** What both sides know of {@link Feed}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class FeedService implements ServiceDescriptor<Feed> {

    private static final String NAME = "org.acme.Feed";

    /** {@code average(Flow.Publisher<Double>)} */
    public static final MethodDescriptor AVERAGE = new MethodDescriptor(
            0,
            NAME,
            "average",
            "average(stream of double)double throws org.acme.Feed.UnknownException{instrument:long}",
            0x55530933c81820f9L,
            true,
            false,
            0L,
            false,
            false,
            StreamKind.ARGUMENT);

    /** {@code batches(Flow.Publisher<ByteBuffer>, boolean)} */
    public static final MethodDescriptor BATCHES = new MethodDescriptor(
            1,
            NAME,
            "batches",
            "batches(stream of ByteBuffer,boolean)stream of List<org.acme.Feed.Tick>"
                    + " org.acme.Feed.Tick{instrument:long,price:double}",
            0x18b012ff1ad86274L,
            false,
            false,
            0L,
            false,
            false,
            StreamKind.BOTH);

    /** {@code chat(Flow.Publisher<String>)} */
    public static final MethodDescriptor CHAT = new MethodDescriptor(
            2,
            NAME,
            "chat",
            "chat(stream of String)stream of String",
            0xbf9fa035474902a2L,
            true,
            false,
            2000000000L,
            false,
            false,
            StreamKind.BOTH);

    /** {@code count()} */
    public static final MethodDescriptor COUNT = new MethodDescriptor(
            3,
            NAME,
            "count",
            "count()stream of long",
            0x458346cca4cf7871L,
            false,
            false,
            0L,
            false,
            false,
            StreamKind.RESULT);

    /** {@code read(String)} */
    public static final MethodDescriptor READ = new MethodDescriptor(
            4,
            NAME,
            "read",
            "read(String)stream of ByteBuffer",
            0x41097df6571f3fafL,
            false,
            false,
            0L,
            false,
            false,
            StreamKind.RESULT);

    /** {@code sides(long)} */
    public static final MethodDescriptor SIDES = new MethodDescriptor(
            5,
            NAME,
            "sides",
            "sides(long)stream of org.acme.Feed.Side throws org.acme.Feed.UnknownException{instrument:l"
                    + "ong}"
                    + " org.acme.Feed.Side[BID,ASK]",
            0x718efeb4d89c7b91L,
            false,
            false,
            0L,
            false,
            false,
            StreamKind.RESULT);

    /** {@code sum(Flow.Publisher<Integer>)} */
    public static final MethodDescriptor SUM = new MethodDescriptor(
            6,
            NAME,
            "sum",
            "sum(stream of int)long?",
            0x78f64fdd93aec681L,
            false,
            false,
            0L,
            false,
            false,
            StreamKind.ARGUMENT);

    /** {@code ticks(String, int)} */
    public static final MethodDescriptor TICKS = new MethodDescriptor(
            7,
            NAME,
            "ticks",
            "ticks(String,int)stream of org.acme.Feed.Tick"
                    + " org.acme.Feed.Tick{instrument:long,price:double}",
            0xcbc898bb8574442bL,
            false,
            false,
            0L,
            false,
            false,
            StreamKind.RESULT);

    /** {@code upload(String, Flow.Publisher<ByteBuffer>)} */
    public static final MethodDescriptor UPLOAD = new MethodDescriptor(
            8,
            NAME,
            "upload",
            "upload(String,stream of ByteBuffer)long",
            0x69f35175acf4103aL,
            true,
            false,
            0L,
            false,
            false,
            StreamKind.ARGUMENT);

    private static final List<MethodDescriptor> METHODS = List.of(AVERAGE, BATCHES, CHAT, COUNT,
            READ, SIDES, SUM, TICKS, UPLOAD);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public FeedService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x5a576c94028d9de9L;
    }

    @Override
    public List<MethodDescriptor> methods() {
        return METHODS;
    }

    @Override
    public List<Class<?>> objectClasses() {
        return OBJECT_CLASSES;
    }

    @Override
    public Feed stub(RpcChannel channel) {
        return new FeedStub(channel);
    }

    @Override
    public FeedAsync asyncStub(RpcChannel channel) {
        return new FeedAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return FeedAsync.class;
    }

    @Override
    public Skeleton skeleton(Feed implementation) {
        return new FeedSkeleton(implementation);
    }
}
