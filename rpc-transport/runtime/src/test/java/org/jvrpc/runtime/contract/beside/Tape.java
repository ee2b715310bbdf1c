package org.jvrpc.runtime.contract.beside;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Streams both ways whose handlers do what a test says. */
@RpcService
public interface Tape {

    /** A declared exception. */
    class TornException extends Exception {

        private static final long serialVersionUID = 1L;

        public TornException(String message) {
            super(message);
        }
    }

    /** Plays what the test has put in. */
    Flow.Publisher<Long> play() throws TornException;

    /** The same by a thread that may wait. */
    @RpcMethod(heavy = true)
    Flow.Publisher<Long> playHeavily();

    /** Returns the sum of what comes, which a thread waits for. */
    long record(Flow.Publisher<Long> values) throws TornException;

    /** The same by a subscriber. */
    CompletableFuture<Long> recordLater(Flow.Publisher<Long> values);
}
