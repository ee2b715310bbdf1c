package org.jvrpc.api;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.stub.MethodDescriptor;

/** One call as a {@link ClientInterceptor} sees it. One thread until {@code proceed()} returns. */
public interface ClientContext {

    /** Returns the method that is called. */
    MethodDescriptor method();

    /** Returns the metadata that will travel; may be changed before {@code proceed()}. */
    Metadata metadata();

    /**
     * Returns what travelled beside the answer, once it is there: after {@code proceed()} of a synchronous call, and in
     * what {@link #whenEnded} hears. Empty before, when nothing did, and for calls that no server answered.
     */
    default Metadata responseMetadata() {
        return new Metadata();
    }

    /** Returns the time that the call has from now, in nanoseconds; negative once it is over. */
    long deadlineNs();

    /** Changes the time that the call has from now, in nanoseconds, more than zero. */
    void deadlineNs(long deadlineNs);

    /**
     * Asks to be told once how the call ended: the status and the message, which is null for {@link Status#OK}. A call
     * that ended by a declared exception ended {@code OK}.
     */
    void whenEnded(BiConsumer<Status, @Nullable String> listener);
}
