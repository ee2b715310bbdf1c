package org.jvrpc.benchmarks.stream;

/** What is streamed, and by whom. */
public enum StreamKind {
    /** Longs by jvRPC. */
    JVRPC_LONGS,
    /** Buffers by jvRPC. */
    JVRPC_BUFFERS,
    /** Longs by Aeron over IPC. */
    AERON_LONGS,
    /** Buffers by a bare channel. */
    CHANNEL_BUFFERS;

    /** Bytes of a buffer. */
    public static final int BUFFER_BYTES = 1 << 16;
}
