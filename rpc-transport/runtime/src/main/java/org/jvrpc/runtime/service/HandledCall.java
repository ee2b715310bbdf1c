package org.jvrpc.runtime.service;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.guard.Pass;
import org.jvrpc.runtime.thread.Clock;

/**
 * What every call has that a handler answers: where its arguments lie, where its answer is written, and what came
 * beside them. Subclasses say where the memory is from, and what becomes of the answer. One thread at a time.
 */
public abstract class HandledCall extends ServerCall implements WireWriter.Spill {

    private final Caller caller;
    private final Clock clock;
    private final WireReader reader;
    private final WireWriter writer = new WireWriter();
    private ServiceTable.Method method;
    private Extension extension = Extension.NONE;
    private long arrivedNs;
    /** See {@link #marks()}. */
    private long marks;
    /** What is to travel beside the answer, while the marks say so. */
    private Metadata response;
    private boolean resultBegun;
    private volatile boolean cancelled;
    /** Those who are told how the handler's work ended, or null. */
    private CallEnd end;
    /** Of a call that had to be let in, as long as it goes on. */
    private Pass pass;

    /**
     * @param caller null for a call that no client made
     * @param reader of the arguments
     */
    public HandledCall(Caller caller, Clock clock, WireReader reader) {
        this.caller = caller;
        this.clock = clock;
        this.reader = reader;
    }

    /** Forgets the call before. */
    protected final void reset() {
        if (cancelled) {
            cancelled = false; // a volatile store costs a fence: not in every call
        }
        resultBegun = false;
        marks = 0;
        if (extension != Extension.NONE) {
            extension = Extension.NONE;
        }
        if (end != null) {
            end = null;
        }
    }

    /** The call was let in. */
    public final void pass(Pass given) {
        pass = given;
    }

    /** Takes the pass out, for whoever ends it; null where there is none. */
    public final Pass takePass() {
        Pass taken = pass;
        pass = null;
        return taken;
    }

    /** Sets the method, null where none is known. */
    public final void target(ServiceTable.Method target) {
        if (method != target) {
            method = target; // a store of a reference costs the collector's barrier
        }
    }

    /** Returns the method, or null where none is known. */
    public final ServiceTable.Method target() {
        return method;
    }

    public final MethodDescriptor descriptor() {
        return method == null ? null : method.descriptor();
    }

    /** Takes over what came beside the arguments, and since when its deadline counts. */
    public final void extension(Extension came, long sinceNs) {
        extension = came;
        arrivedNs = sinceNs;
    }

    public final Extension extension() {
        return extension;
    }

    public final long arrivedNs() {
        return arrivedNs;
    }

    public final WireReader reader() {
        return reader;
    }

    public final WireWriter writer() {
        return writer;
    }

    /** Returns the number of the declared exception that is the answer; 0 when it is none. */
    public final int thrownNumber() {
        return Marks.thrown(marks);
    }

    /** Returns what its answer has beside a status and a body: 0 for most, see {@link Marks}. */
    public final long marks() {
        return marks;
    }

    public final void cancel() {
        cancelled = true;
    }

    /** Says whose fault an INVALID_ARGUMENT is: once the result was begun it is the handler's. */
    public final Status blame(Status status) {
        return status == Status.INVALID_ARGUMENT && resultBegun ? Status.INTERNAL : status;
    }

    /** Replaces whatever was written by the text of a failure, cut to what fits into a client's slot. */
    public final void writeFailure(ByteBuffer memory, int start, int capacity, int slotBytes, String message) {
        marks &= Marks.RESPONSE;
        writer.reset(memory, start, start + capacity, this, null);
        String text = message == null ? "" : message;
        int room = (slotBytes - 8) / 2;
        writer.writeString(text.length() <= room ? text : text.substring(0, room));
    }

    @Override
    public final Metadata responseMetadata() {
        if ((marks & Marks.RESPONSE) == 0) {
            response = new Metadata();
            marks |= Marks.RESPONSE;
        }
        return response;
    }

    /** Returns the bytes of the answer, without what lies behind its body. */
    public final int bodyLength() {
        return writer.length() - Marks.trailers(marks);
    }

    /**
     * Writes what travels beside the answer behind its body, if there is something and the caller takes it.
     *
     * @param details of a failure, or null
     * @throws RpcException when it is too much
     */
    protected final void writeTrailers(ErrorDetails details) {
        Metadata put = takeResponse();
        if ((put != null || details != null) && takesTrailers()) {
            marks |= Marks.ofTrailers(Trailers.write(writer, put, details));
        }
    }

    protected final boolean takesTrailers() {
        return caller != null && caller.takesTrailers();
    }

    /** Takes out what the handler has travel beside the answer; null where there is nothing. */
    protected final Metadata takeResponse() {
        Metadata put = (marks & Marks.RESPONSE) == 0 || response.isEmpty() ? null : response;
        marks &= ~Marks.RESPONSE;
        return put;
    }

    /** The answer is a failure of before the handler. */
    protected final void markNotRun() {
        marks |= Marks.NOT_RUN;
    }

    @Override
    public final void whenEnded(BiConsumer<Status, String> listener) {
        if (end == null) {
            end = new CallEnd(this, listener);
        } else {
            end.and(listener);
        }
    }

    /** Takes out those who are told how the handler's work ended; null where nobody is. */
    protected final CallEnd takeEnd() {
        CallEnd taken = end;
        if (taken != null) {
            end = null;
        }
        return taken;
    }

    /**
     * The interceptors have returned: unless the answer was left to a stage or a stream, this is the end.
     *
     * @param thrown what they threw, or null
     */
    public final void returned(Throwable thrown) {
        CallEnd heard = takeEnd();
        if (heard != null && thrown == null) {
            heard.tell(Status.OK, null);
        } else if (heard != null) {
            heard.fail(thrown);
        }
    }

    /** Leaves the answer to a stage. */
    protected abstract <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter);

    @Override
    public final <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
        if (stage == null) {
            throw new RpcException(Status.INTERNAL, "handler of " + method.descriptor().fullName()
                    + " returned null for a future");
        }
        CallEnd heard = takeEnd();
        leave(stage, heard == null ? resultWriter : heard.around(resultWriter));
    }

    @Override
    public final WireReader arguments() {
        return reader;
    }

    @Override
    public final WireWriter result() {
        resultBegun = true;
        return writer;
    }

    @Override
    public final WireWriter exception(int number) {
        marks = marks & Marks.RESPONSE | Marks.ofThrown(number);
        writer.rewind();
        return writer;
    }

    @Override
    public final MethodDescriptor method() {
        return method.descriptor();
    }

    @Override
    public final Metadata metadata() {
        extension = extension.own();
        return extension.metadata();
    }

    @Override
    public final boolean hasMetadata() {
        Metadata came = extension.metadata();
        return came != null && !came.isEmpty();
    }

    @Override
    public final long remainingNs() {
        return extension.leftNs(clock, arrivedNs);
    }

    /** Returns this call as those know it that its handler makes. @param oneWay where nobody waits for its answer */
    protected final CallAbove above(int callId, boolean oneWay) {
        return new CallAbove(oneWay ? null : caller, clock, callId, extension, arrivedNs);
    }

    @Override
    public final boolean isCancelled() {
        return cancelled || caller != null && !caller.isConnected();
    }

    @Override
    public final long sessionId() {
        return caller == null ? 0 : caller.id();
    }

    @Override
    public final RpcPrincipal principal() {
        Pass mine = pass;
        if (mine != null) {
            return mine.principal();
        }
        return caller == null ? RpcPrincipal.anonymous() : caller.principal();
    }

    @Override
    public final InetAddress clientHost() {
        return caller == null ? null : caller.peerHost();
    }
}
