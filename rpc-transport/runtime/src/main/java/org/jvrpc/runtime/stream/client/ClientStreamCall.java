package org.jvrpc.runtime.stream.client;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.stub.WritablePublisher;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.stream.IncomingPublisher;
import org.jvrpc.runtime.stream.Stream;
import org.jvrpc.runtime.stream.Waiting;
import org.jvrpc.runtime.stream.piece.Failure;

/** A call with streams as a stub makes it. One thread. */
public final class ClientStreamCall extends StreamCall {

    private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);
    private static final int LEAST_BYTES = 64;
    /** For what stands in front of the arguments, mostly. */
    private static final int FIRST_BYTES = 1 << 10;

    private final StreamClient client;
    private final StreamTarget target;
    private final MethodDescriptor method;
    private final ClientInvocation invocation;
    private final WireWriter writer = new WireWriter();
    private Argument<?> argument;
    private ClientStream stream;
    private Reply reply;

    /** The stream among the arguments. */
    private record Argument<T>(Flow.Publisher<T> publisher, StreamCodec<T> codec) {

        Runnable send(ClientStream stream) {
            return stream.argument(publisher, codec);
        }
    }

    ClientStreamCall(StreamClient client, StreamTarget target, MethodDescriptor method, ClientInvocation invocation) {
        this.client = client;
        this.target = target;
        this.method = method;
        this.invocation = invocation;
        writer.reset(NONE, 0, 0, ClientStreamCall::grow, target.objects());
    }

    /** Of the collector, as nobody says that a stream is never subscribed to. */
    private static void grow(WireWriter full, int needed) {
        int bytes = StreamClient.checkLength((long) full.length() + needed);
        ByteBuffer larger = ByteBuffer.allocateDirect(Math.max(2 * bytes, LEAST_BYTES));
        full.moveTo(larger, 0, larger.capacity());
    }

    @Override
    public WireWriter arguments() {
        return writer;
    }

    @Override
    public <T> void elements(Flow.Publisher<T> publisher, StreamCodec<T> codec) {
        argument = new Argument<>(publisher, codec);
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        abandonArgument(cause);
        return Failures.ofArguments(cause, method);
    }

    /** Makes the call's stream, which is not sent yet. @throws RpcException UNAVAILABLE, RESOURCE_EXHAUSTED */
    private ClientStream make(ResultReader<Void> declared) {
        ClientLink link;
        try {
            link = client.link();
        } catch (RpcException e) {
            RpcException told = Failure.notRun(e);
            Endpoint.ended(client.counters(), method, told.status());
            abandonArgument(told);
            throw told;
        }
        stream = new ClientStream(link.session(), invocation, target.objects(), declared, client.counters());
        return stream;
    }

    /** Sends the call; returns what writes its argument, which is to be run by a thread that may wait, or null. */
    private Runnable start() {
        Runnable[] writing = new Runnable[1];
        boolean[] sent = new boolean[1];
        try {
            ClientLink link = client.link();
            if (link.session() != stream.session()) {
                throw new RpcException(Status.UNAVAILABLE, "connection was lost before the call was made");
            }
            int service = link.number(target.service());
            link.session().table().add(stream);
            invocation.start(() -> {
                long leftNs = StreamClient.leftNs(invocation);
                stream.endNs(leftNs == 0 ? 0 : client.clock().nanoTime() + leftNs);
                ByteBuffer bytes = head(service);
                sent[0] = true;
                stream.start(bytes, bytes.limit());
                writing[0] = argument == null ? null : argument.send(stream);
            });
            if (stream.session().isOver()) { // whoever ended it may not have found this one
                stream.fail(new RpcException(Status.UNAVAILABLE, "connection is lost"));
            }
        } catch (RpcException e) {
            RpcException told = sent[0] ? e : Failure.notRun(e);
            abandonArgument(told);
            stream.fail(told);
        } catch (RuntimeException | Error e) {
            abandonArgument(e);
            stream.fail(new RpcException(Status.INTERNAL, "call of " + method.fullName() + ": " + e, e));
            throw e;
        }
        return writing[0];
    }

    /** Nobody will subscribe to the argument, where nobody has: who writes it is not to wait for that. */
    private void abandonArgument(Throwable cause) {
        if (argument != null && argument.publisher() instanceof WritablePublisher<?> written) {
            written.abandon(cause);
        }
    }

    private ByteBuffer head(int service) {
        ByteBuffer[] bytes = {client.memory().take(FIRST_BYTES + writer.length())};
        WireWriter out = new WireWriter();
        out.reset(bytes[0], 0, bytes[0].capacity(),
                (full, needed) -> StreamClient.grow(client.memory(), bytes, full, needed), null);
        StreamClient.writeHead(out, service, method, invocation);
        out.writeRaw(writer.buffer(), writer.start(), writer.length());
        return bytes[0].limit(out.length());
    }

    private void writeElsewhere(Runnable writing) {
        if (writing != null) {
            client.newThread(writing, "jvrpc-stream-writer-" + method.name()).start();
        }
    }

    // ---- a stream as result

    @Override
    public <T> Flow.Publisher<T> publish(StreamCodec<T> codec, ResultReader<Void> declared) {
        return new IncomingPublisher<T>(codec, target.objects()) {
            @Override
            protected Stream stream() {
                ClientStream made = make(declared);
                made.receiveElements(codec.fixedBytes());
                return made;
            }

            @Override
            protected void begin(Stream made) {
                writeElsewhere(start());
            }
        };
    }

    // ---- another result

    /** What came of the call. */
    private static final class Reply extends Waiting implements ClientStream.Answer {

        private ByteBuffer bytes;
        private int offset;
        private int thrown;
        private RpcException failure;
        private volatile boolean there;

        @Override
        public void answered(ByteBuffer came, int at, int number) {
            bytes = came;
            offset = at;
            thrown = number;
            there = true;
            wakeUp();
        }

        @Override
        public void failed(RpcException cause) {
            failure = cause;
            there = true;
            wakeUp();
        }

        @Override
        protected boolean isThere() {
            return there;
        }
    }

    @Override
    public WireReader invoke() {
        make(null);
        checkMayWait();
        reply = new Reply();
        stream.receiveAnswer(reply);
        Runnable writing = start();
        if (writing != null) {
            writing.run();
        }
        reply.await(stream);
        if (reply.failure != null) {
            throw Failure.again(reply.failure);
        }
        WireReader in = new WireReader();
        in.reset(reply.bytes, reply.offset, reply.bytes.limit() - reply.offset, target.objects());
        return in;
    }

    /** Before anything is sent. */
    private void checkMayWait() {
        try {
            stream.session().checkMayWait();
        } catch (RpcException e) {
            throw Failure.notRun(e);
        }
    }

    @Override
    public int thrown() {
        return reply.thrown;
    }

    @Override
    public void close() {
        // it has ended, or has been given up
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
        ClientStream made = make(null);
        CompletableFuture<R> future = new StreamFuture<>(made.session());
        made.receiveAnswer(new ClientStream.Answer() {
            @Override
            public void answered(ByteBuffer bytes, int offset, int thrown) {
                WireReader in = new WireReader();
                in.reset(bytes, offset, bytes.limit() - offset, target.objects());
                try {
                    future.complete(reader.read(in, thrown));
                } catch (Throwable t) {
                    future.completeExceptionally(t);
                }
            }

            @Override
            public void failed(RpcException cause) {
                future.completeExceptionally(cause);
            }
        });
        future.whenComplete((result, failure) -> {
            if (future.isCancelled()) {
                made.fail(new RpcException(Status.CANCELLED, "future was cancelled"));
            }
        });
        writeElsewhere(start());
        return future;
    }
}
