package org.jvrpc.codegen.roundtrip;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A channel to a skeleton in the same process, through bytes. Checks that each call is ended exactly once. */
final class LoopChannel implements RpcChannel {

    private final Skeleton skeleton;
    private final ObjectCodec objects;
    int open;
    int begun;
    byte[] lastRequest;

    LoopChannel(Skeleton skeleton, ObjectCodec objects) {
        this.skeleton = skeleton;
        this.objects = objects;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        open++;
        begun++;
        return new LoopClientCall(method);
    }

    private static WireWriter writer(ObjectCodec objects) {
        WireWriter writer = new WireWriter();
        writer.reset(ByteBuffer.allocateDirect(64), 8, 64, LoopChannel::grow, objects);
        return writer;
    }

    private static void grow(WireWriter writer, int needed) {
        int size = 2 * (writer.length() + needed) + 16;
        writer.moveTo(ByteBuffer.allocateDirect(size), 16, size);
    }

    static byte[] bytes(WireWriter writer) {
        byte[] bytes = new byte[writer.length()];
        writer.buffer().get(writer.start(), bytes);
        return bytes;
    }

    static WireReader reader(byte[] bytes, ObjectCodec objects) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes.length + 8);
        memory.put(4, bytes);
        WireReader reader = new WireReader();
        reader.reset(memory, 4, bytes.length, objects);
        return reader;
    }

    private final class LoopClientCall extends ClientCall {

        private final MethodDescriptor method;
        private final WireWriter arguments = writer(objects);
        private LoopServerCall served;
        private boolean ended;

        LoopClientCall(MethodDescriptor method) {
            this.method = method;
        }

        private void end() {
            if (ended) {
                throw new AssertionError("ended twice: " + method);
            }
            ended = true;
            open--;
        }

        private LoopServerCall serve() {
            lastRequest = bytes(arguments);
            served = new LoopServerCall(method, reader(lastRequest, objects), objects);
            served.run(skeleton);
            return served;
        }

        @Override
        public WireWriter arguments() {
            return arguments;
        }

        @Override
        public WireReader invoke() {
            LoopServerCall answer = serve();
            answer.throwFailure();
            return answer.answer();
        }

        @Override
        public int thrown() {
            return served.thrown;
        }

        @Override
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            end();
            LoopServerCall answer = serve();
            CompletableFuture<R> future = new CompletableFuture<>();
            answer.done.whenComplete((nothing, failure) -> {
                try {
                    answer.throwFailure();
                    future.complete(reader.read(answer.answer(), answer.thrown));
                } catch (Throwable t) {
                    future.completeExceptionally(t);
                }
            });
            return future;
        }

        @Override
        public void send() {
            end();
            serve().throwFailure();
        }

        @Override
        public void close() {
            end();
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            end();
            if (cause instanceof RuntimeException unchecked) {
                return unchecked;
            }
            return new RpcException(Status.INTERNAL, String.valueOf(cause), cause);
        }
    }

    /** The server's half. */
    static final class LoopServerCall extends ServerCall {

        final CompletableFuture<Void> done = new CompletableFuture<>();
        private final MethodDescriptor method;
        private final WireReader arguments;
        private final ObjectCodec objects;
        private WireWriter result;
        private Throwable failure;
        private boolean later;
        int thrown;

        LoopServerCall(MethodDescriptor method, WireReader arguments, ObjectCodec objects) {
            this.method = method;
            this.arguments = arguments;
            this.objects = objects;
        }

        void run(Skeleton skeleton) {
            try {
                skeleton.dispatch(method.index(), this);
                if (result == null && !later && !method.oneWay()) {
                    throw new AssertionError("no answer of " + method);
                }
            } catch (Throwable t) {
                failure = t;
            }
            if (!later) {
                done.complete(null);
            }
        }

        void throwFailure() {
            if (failure instanceof RpcException known) {
                boolean atFault = result != null && known.status() == Status.INVALID_ARGUMENT;
                throw atFault ? new RpcException(Status.INTERNAL, known.getMessage()) : known;
            }
            if (failure instanceof AssertionError error) {
                throw error;
            }
            if (failure != null) {
                throw new RpcException(Status.UNKNOWN, failure.toString(), failure);
            }
        }

        WireReader answer() {
            return reader(bytes(result), objects);
        }

        byte[] answerBytes() {
            return bytes(result);
        }

        @Override
        public WireReader arguments() {
            return arguments;
        }

        @Override
        public WireWriter result() {
            result = writer(objects);
            return result;
        }

        @Override
        public WireWriter exception(int number) {
            thrown = number;
            result = writer(objects);
            return result;
        }

        @Override
        public <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> writer) {
            later = true;
            stage.whenComplete((value, problem) -> {
                try {
                    writer.write(this, value, problem);
                } catch (Throwable t) {
                    failure = t;
                }
                done.complete(null);
            });
        }

        @Override
        public MethodDescriptor method() {
            return method;
        }

        @Override
        public Metadata metadata() {
            return new Metadata();
        }

        @Override
        public long remainingNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public long sessionId() {
            return 1;
        }
    }
}
