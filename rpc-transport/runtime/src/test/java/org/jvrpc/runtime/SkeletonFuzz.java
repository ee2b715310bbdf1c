package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.graph.KryoCodec;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any bytes as the arguments of a method of {@link org.jvrpc.runtime.contract.Calls}, which the first byte chooses, to
 * a generated skeleton. They are refused by an {@link RpcException} INTERNAL, or RESOURCE_EXHAUSTED where the caller
 * says how long the result is; or the method is called; little is allocated either way. What a method returns that
 * returns its argument is the argument again, with the same bytes as result.
 */
final class SkeletonFuzz {

    /** What Kryo may allocate for a graph of few bytes. */
    private static final long FREE_BYTES = 4L << 20;
    private static final int BYTES_A_BYTE = 256;
    private static final CallsService SERVICE = new CallsService();
    private static final List<MethodDescriptor> METHODS = SERVICE.methods();
    private static final Skeleton SKELETON = SERVICE.skeleton(FuzzBodies.harmless());
    private static final KryoCodec OBJECTS = new KryoCodec(SERVICE.objectClasses());
    private static final Set<String> ECHOES = Set.of("echo", "echoHeavy", "echoLater", "echoHeavyLater", "order",
            "graph", "nullable");
    private static final ByteBuffer IN = ByteBuffer.allocateDirect(1 << 20);
    private static final ByteBuffer OUT = ByteBuffer.allocateDirect(1 << 20);
    private static final Call CALL = new Call();

    private SkeletonFuzz() {
    }

    private static final class Call extends HandledCall {

        private Throwable failure;

        Call() {
            super(null, () -> 0, new WireReader());
        }

        boolean run(MethodDescriptor method, int length) {
            reset();
            failure = null;
            target(new ServiceTable.Method(method, SKELETON, OBJECTS, 0));
            reader().reset(IN, 0, length, OBJECTS);
            writer().reset(OUT, 0, OUT.capacity(), this, OBJECTS);
            try {
                SKELETON.dispatch(method.index(), this);
            } catch (Throwable t) {
                failure = t;
            }
            return failure == null;
        }

        @Override
        protected <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
            stage.whenComplete((result, thrown) -> {
                try {
                    resultWriter.write(this, result, thrown);
                } catch (Throwable t) {
                    failure = t;
                }
            });
        }

        @Override
        public void grow(WireWriter writer, int needed) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no result so long: bytes=" + needed);
        }
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        MethodDescriptor method = METHODS.get((input[0] & 0xff) % METHODS.size());
        int length = input.length - 1;
        IN.put(0, input, 1, length);
        FuzzCheck.allocates(FREE_BYTES + (long) BYTES_A_BYTE * length, () -> CALL.run(method, length));
        if (CALL.failure != null) {
            FuzzCheck.that(CALL.failure instanceof RpcException e && (CALL.blame(e.status()) == Status.INTERNAL
                    || e.status() == Status.RESOURCE_EXHAUSTED && method == CallsService.COPY), CALL.failure);
        } else if (ECHOES.contains(method.name())) {
            again(method);
        }
    }

    /** Gives the result back as the argument. */
    private static void again(MethodDescriptor method) {
        byte[] result = result();
        IN.put(0, result);
        FuzzCheck.that(CALL.run(method, result.length), CALL.failure);
        FuzzCheck.that(Arrays.equals(result, result()), method);
    }

    private static byte[] result() {
        byte[] result = new byte[CALL.writer().length()];
        CALL.writer().buffer().get(CALL.writer().start(), result);
        return result;
    }
}
