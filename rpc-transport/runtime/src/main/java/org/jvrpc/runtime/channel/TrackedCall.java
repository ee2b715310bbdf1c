package org.jvrpc.runtime.channel;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A call whose end its server is judged by. One thread. */
final class TrackedCall extends ClientCall {

    private final BalancedCore core;
    private final SubChannel server;
    private final ClientCall call;
    private final boolean probe;
    private boolean told;

    TrackedCall(BalancedCore core, SubChannel server, ClientCall call, boolean probe) {
        this.core = core;
        this.server = server;
        this.call = call;
        this.probe = probe;
    }

    private void ended(Throwable failure) {
        if (!told) {
            told = true;
            core.ended(server, failure instanceof RpcException e && Outliers.isFailure(e.status()), probe);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @Override
    public WireWriter arguments() {
        return call.arguments();
    }

    @Override
    public WireReader invoke() {
        try {
            WireReader result = call.invoke();
            ended(null);
            return result;
        } catch (RpcException e) {
            ended(e);
            throw e;
        }
    }

    @Override
    public int thrown() {
        return call.thrown();
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
        CompletableFuture<R> future;
        try {
            future = call.invokeAsync(reader);
        } catch (RpcException e) {
            ended(e);
            throw e;
        }
        future.whenComplete((result, failure) -> {
            if (failure instanceof CancellationException) {
                release(); // which says nothing of the server
            } else {
                ended(cause(failure));
            }
        });
        return future;
    }

    @Override
    public <R> void invokeCallback(ResultReader<R> reader, RpcCallback<R> callback) {
        call.invokeCallback(reader, (result, failure) -> {
            ended(failure);
            callback.completed(result, failure);
        });
    }

    @Override
    public void invokeCallbackInt(ResultReader.OfInt reader, RpcCallback.OfInt callback) {
        call.invokeCallbackInt(reader, (result, failure) -> {
            ended(failure);
            callback.completed(result, failure);
        });
    }

    @Override
    public void invokeCallbackLong(ResultReader.OfLong reader, RpcCallback.OfLong callback) {
        call.invokeCallbackLong(reader, (result, failure) -> {
            ended(failure);
            callback.completed(result, failure);
        });
    }

    @Override
    public void invokeCallbackDouble(ResultReader.OfDouble reader, RpcCallback.OfDouble callback) {
        call.invokeCallbackDouble(reader, (result, failure) -> {
            ended(failure);
            callback.completed(result, failure);
        });
    }

    @Override
    public void send() {
        try {
            call.send();
        } finally {
            release();
        }
    }

    @Override
    public void close() {
        release(); // where it was not made after all
        call.close();
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        release();
        return call.abandon(cause);
    }

    /** Nothing is known of its end; another call may be the probe. */
    private void release() {
        if (probe && !told) {
            server.outlier().probeOver();
        }
        told = true;
    }
}
