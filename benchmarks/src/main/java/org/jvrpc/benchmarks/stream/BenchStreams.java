package org.jvrpc.benchmarks.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcService;

/** What is streamed. */
@RpcService
public interface BenchStreams {

    /** Returns how many there were. */
    long longs(Flow.Publisher<Long> values);

    /** Returns how many there were. */
    long buffers(Flow.Publisher<@InPlace ByteBuffer> buffers);
}
