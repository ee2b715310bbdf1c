package org.jvrpc.testkit.simulated;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A call at the host that serves it. One thread. */
final class SimulatedServerCall extends ServerCall {

    /** In the place of the number of a declared exception. */
    private static final int FAILED = -1;

    private final SimulatedNetwork network;
    private final MethodDescriptor method;
    private final long number;
    private final Metadata metadata;
    private final long endNs;
    private final WireReader arguments;
    private final Consumer<ByteBuffer> answers;
    private Body body = new Body();
    private int thrown;
    private boolean later;

    SimulatedServerCall(SimulatedNetwork network, MethodDescriptor method, long number, Metadata metadata, long endNs,
            WireReader arguments, Consumer<ByteBuffer> answers) {
        this.network = network;
        this.method = method;
        this.number = number;
        this.metadata = metadata;
        this.endNs = endNs;
        this.arguments = arguments;
        this.answers = answers;
    }

    void run(Skeleton skeleton) {
        try {
            skeleton.dispatch(method.index(), this);
        } catch (Throwable t) {
            fail(t);
            return;
        }
        if (!later) {
            answer();
        }
    }

    private void answer() {
        if (method.oneWay()) {
            return;
        }
        Body answer = new Body();
        answer.writer().writeLong(number);
        answer.writer().writeInt(thrown);
        answer.append(body);
        answers.accept(answer.bytes());
    }

    /** What a handler does not declare is UNKNOWN to its caller; what a test expects of it fails the test as well. */
    private void fail(Throwable cause) {
        if (cause instanceof AssertionError error) {
            network.fail(new IllegalStateException("a handler of " + method.fullName() + " failed: " + error, error));
        }
        body = new Body();
        thrown = FAILED;
        Status status = cause instanceof RpcException rpc ? rpc.status() : Status.UNKNOWN;
        String message = cause instanceof RpcException ? cause.getMessage() : cause.toString();
        body.writer().writeInt(status.ordinal());
        if (body.writer().writePresence(message != null)) {
            body.writer().writeString(message);
        }
        answer();
    }

    @Override
    public WireReader arguments() {
        return arguments;
    }

    @Override
    public WireWriter result() {
        body.writer().rewind();
        thrown = 0;
        return body.writer();
    }

    @Override
    public WireWriter exception(int declared) {
        body.writer().rewind();
        thrown = declared;
        return body.writer();
    }

    @Override
    public <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> writer) {
        later = true;
        stage.whenComplete((result, failure) -> {
            try {
                network.checkThread();
                writer.write(this, result, failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause() : failure);
                answer();
            } catch (IllegalStateException e) {
                network.fail(e);
            } catch (Throwable t) {
                fail(t);
            }
        });
    }

    @Override
    public MethodDescriptor method() {
        return method;
    }

    @Override
    public Metadata metadata() {
        return metadata;
    }

    @Override
    public long remainingNs() {
        return endNs - network.nowNs();
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
