package org.jvrpc.benchmarks.peer;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jvrpc.benchmarks.harness.Pipeline;

/** Asynchronous unary calls; a semaphore keeps the window. */
final class GrpcPipeline implements Pipeline {

    private final Channel channel;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    GrpcPipeline(Channel channel) {
        this.channel = channel;
    }

    @Override
    public long run(int window, long endNs) throws InterruptedException {
        long before = answered.get();
        Semaphore free = new Semaphore(window);
        long sent = 0;
        while (System.nanoTime() < endNs) {
            free.acquire();
            call(sent++, free);
        }
        free.acquire(window);
        if (failure.get() != null) {
            throw new IllegalStateException("call failed: " + failure.get(), failure.get());
        }
        return answered.get() - before;
    }

    private void call(long number, Semaphore free) {
        byte[] request = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        ClientCalls.asyncUnaryCall(channel.newCall(Grpc.ECHO, CallOptions.DEFAULT), request, new StreamObserver<>() {
            @Override
            public void onNext(byte[] answer) {
                if (ByteBuffer.wrap(answer).getLong() != number) {
                    failure.set(new IllegalStateException("wrong answer to call=" + number));
                }
            }

            @Override
            public void onError(Throwable thrown) {
                failure.set(thrown);
                free.release();
            }

            @Override
            public void onCompleted() {
                answered.incrementAndGet();
                free.release();
            }
        });
    }
}
