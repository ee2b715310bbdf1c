package org.jvrpc.runtime.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A slot without a session. */
final class BareSlot extends SlotState {

    volatile LongPredicate acknowledged = send -> false;

    @Override
    boolean isAcknowledged(long send) {
        return acknowledged.test(send);
    }

    @Override
    public WireWriter arguments() {
        throw new UnsupportedOperationException();
    }

    @Override
    public WireReader invoke() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int thrown() {
        throw new UnsupportedOperationException();
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void send() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        throw new UnsupportedOperationException();
    }
}
