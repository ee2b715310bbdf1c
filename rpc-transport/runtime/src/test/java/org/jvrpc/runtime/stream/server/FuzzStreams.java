package org.jvrpc.runtime.stream.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcService;

/** Streams of every shape, by handlers that wait for nothing. */
@RpcService
public interface FuzzStreams {

    /** Their sum. */
    CompletableFuture<Long> sum(Flow.Publisher<Long> values);

    /** The same back. */
    Flow.Publisher<String> mirror(Flow.Publisher<String> lines);

    /** So many arrays of a length. */
    Flow.Publisher<byte[]> blobs(short count, byte length);

    /** Does not look at them. */
    int ignore(Flow.Publisher<String> lines);
}
