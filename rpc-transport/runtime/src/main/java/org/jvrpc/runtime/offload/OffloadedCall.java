package org.jvrpc.runtime.offload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.offload.table.MethodChunk;
import org.jvrpc.offload.table.MethodHash;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.thread.Clock;

/**
 * A connection to the program that answers a method, and the call that has it. The call asks the program; what that
 * does not answer becomes an ordinary call.
 *
 * <pre>
 * APART -claim fails-&gt; JOINING -connected-&gt; FREE -claim-&gt; CLAIMED -close-&gt; FREE
 *                              -refused-&gt; APART           CLAIMED -close, connection broken-&gt; APART
 * </pre>
 * RETIRED is the end of all but CLAIMED. CLAIMED: one thread. JOINING: the thread that connects.
 */
public final class OffloadedCall extends ClientCall implements WireWriter.Spill {

    private static final int APART = 0;
    private static final int JOINING = 1;
    private static final int FREE = 2;
    private static final int CLAIMED = 3;
    private static final int RETIRED = 4;
    /** Values that change all the time are taken by an ordinary call in the end. */
    private static final int TRIES = 4;
    private static final long LOOK_NS = 1_000_000;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(OffloadedCall.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MethodLookups lookups;
    private final Clock clock;
    private final ProgramWait wait;
    private final WireWriter writer = new WireWriter();
    private final WireReader reader = new WireReader();
    private final CRC32C crc = new CRC32C();
    private ByteBuffer key;
    private ByteBuffer answer;
    private int state;
    private OffloadClient client;
    private long retryAtNs;
    private long backoffNs;
    private long first;
    private int buckets;
    private long lookedNs;
    private OrdinaryCalls channel;
    private MethodDescriptor method;
    private ClientCall ordinary;
    private int thrown;
    private boolean look;
    private boolean broken;
    private long answered; // by whoever has the claim; others read it when they will

    OffloadedCall(MethodLookups lookups) {
        this.lookups = lookups;
        this.clock = lookups.clock();
        this.wait = new ProgramWait(lookups.waitNs());
        this.retryAtNs = clock.nanoTime();
    }

    boolean tryClaim() {
        return state == FREE && STATE.compareAndSet(this, FREE, CLAIMED);
    }

    /** Returns true to a caller that is to have the connection made: there is none, and it is time to try. */
    boolean tryJoin() {
        return state == APART && clock.nanoTime() - retryAtNs >= 0 && STATE.compareAndSet(this, APART, JOINING);
    }

    /** Has nobody claim it or connect any more. @return false while somebody has it */
    boolean retire() {
        int now = (int) STATE.getAcquire(this);
        return now == RETIRED || now != CLAIMED && STATE.compareAndSet(this, now, RETIRED);
    }

    long answered() {
        return answered;
    }

    // ---- the thread that connects

    /** Makes the connection, in the place of one that is broken. */
    void join() {
        long startNs = clock.nanoTime();
        broken = true;
        try {
            if (client != null) {
                client.close();
                client = null;
            }
            client = lookups.connect();
            answer = client.answer();
            key = key != null ? key : ByteBuffer.allocateDirect(answer.capacity() - MethodChunk.HEADER);
            long readNs = clock.nanoTime();
            broken = !locate(client);
            wait.read(clock.nanoTime() - readNs);
        } catch (RuntimeException e) { // refused, gone, or an address of no host
            lookups.log(e);
        } finally { // after an error, for want of memory perhaps, too: who is JOINING is not joined again
            backoffNs = lookups.backoffNs(backoffNs, startNs - retryAtNs);
            retryAtNs = clock.nanoTime() + backoffNs;
            int now = (int) STATE.getAcquire(this);
            if (now != RETIRED) {
                STATE.compareAndSet(this, now, broken ? APART : FREE); // fails when it is retired just now
            }
        }
    }

    /** Reads where the table is; false when there is none, or it cannot be read. */
    private boolean locate(OffloadClient from) {
        lookedNs = clock.nanoTime();
        look = false;
        int at = from.read(from.header(), IndexHeader.BYTES);
        if (at < 0) {
            return false;
        }
        long count = IndexHeader.count(from.request(), at);
        if (!IndexHeader.isWhole(from.request(), at) || count < 2 || count > 1 << 30 || Long.bitCount(count) != 1) {
            look = true; // it is being made
            return buckets != 0;
        }
        first = IndexHeader.address(from.request(), at);
        buckets = (int) count;
        return true;
    }

    // ---- the caller

    public void begin(OrdinaryCalls service, MethodDescriptor called) {
        if (channel != service || method != called) {
            channel = service; // a store of a reference costs the collector's barrier: only where one changed
            method = called;
        }
        thrown = 0;
        writer.reset(key, 0, key.capacity(), this, service.objects());
    }

    @Override
    public WireWriter arguments() {
        return writer;
    }

    @Override
    public void grow(WireWriter full, int needed) {
        LocalCall.growOnHeap(full, needed); // longer than any arguments that have a published answer
    }

    @Override
    public WireReader invoke() {
        if (writer.buffer() == key && find()) {
            int at = MethodChunk.resultAt(answer);
            reader.reset(answer, at, MethodChunk.resultBytes(answer), channel.objects());
            thrown = MethodChunk.thrown(answer);
            answered = answered + 1;
            channel.answeredByProgram();
            return reader;
        }
        long ordinaryNs = clock.nanoTime();
        WireReader in = ordinary().invoke();
        wait.ordinary(clock.nanoTime() - ordinaryNs);
        thrown = ordinary.thrown();
        return in;
    }

    /** Asks the program; true when the answer is there. */
    private boolean find() {
        int length = writer.length();
        if (look && clock.nanoTime() - lookedNs > LOOK_NS && !locate(client)) {
            broken = true;
            return false;
        }
        long hash = MethodHash.key(key, 0, length);
        long image = Bucket.image(hash);
        long bucket = first + (long) MethodHash.first(hash, buckets) * Bucket.BYTES;
        long other = first + (long) MethodHash.second(hash, buckets) * Bucket.BYTES;
        for (int i = 0; i < TRIES; i++) {
            Outcome outcome = client.hashGet(image, bucket, other, wait.ns());
            if (outcome != Outcome.FOUND) {
                look = true; // the table may be elsewhere; and reading lets a program go on that did not end
                broken = outcome == Outcome.BROKEN;
                return false;
            }
            if (MethodChunk.answers(answer, key, 0, length, crc)) {
                return true;
            }
        }
        look = true;
        return false;
    }

    /** Begins an ordinary call with the same arguments. */
    private ClientCall ordinary() {
        ClientCall call = channel.beginOrdinary(method);
        try {
            call.arguments().writeRaw(writer.buffer(), writer.start(), writer.length());
        } catch (RuntimeException | Error e) {
            throw call.abandon(e);
        }
        ordinary = call;
        return call;
    }

    @Override
    public int thrown() {
        return thrown;
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> resultReader) {
        return handOver(call -> call.invokeAsync(resultReader));
    }

    @Override
    public <R> void invokeCallback(ResultReader<R> resultReader, RpcCallback<R> callback) {
        handOver(call -> {
            call.invokeCallback(resultReader, callback);
            return null;
        });
    }

    @Override
    public void invokeCallbackInt(ResultReader.OfInt resultReader, RpcCallback.OfInt callback) {
        handOver(call -> {
            call.invokeCallbackInt(resultReader, callback);
            return null;
        });
    }

    @Override
    public void invokeCallbackLong(ResultReader.OfLong resultReader, RpcCallback.OfLong callback) {
        handOver(call -> {
            call.invokeCallbackLong(resultReader, callback);
            return null;
        });
    }

    @Override
    public void invokeCallbackDouble(ResultReader.OfDouble resultReader, RpcCallback.OfDouble callback) {
        handOver(call -> {
            call.invokeCallbackDouble(resultReader, callback);
            return null;
        });
    }

    /** Leaves the call to an ordinary one: programs answer those who wait. */
    private <T> T handOver(Function<ClientCall, T> end) {
        try {
            ClientCall call = ordinary();
            ordinary = null;
            return end.apply(call);
        } finally {
            release();
        }
    }

    @Override
    public void send() {
        release();
        throw new RpcException(Status.INTERNAL, method.fullName() + " is not one-way");
    }

    @Override
    public void close() {
        ClientCall call = ordinary;
        ordinary = null;
        try {
            if (call != null) {
                call.close();
            }
        } finally {
            release();
        }
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        release();
        return Failures.ofArguments(cause, method);
    }

    private void release() {
        STATE.setRelease(this, broken ? APART : FREE);
    }
}
