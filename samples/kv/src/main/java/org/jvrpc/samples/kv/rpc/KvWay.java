package org.jvrpc.samples.kv.rpc;

/** How a client gets values. Whatever else it does goes by calls. */
public enum KvWay {
    /** By ordinary calls. */
    RPC,
    /** By one-sided READs of items whose place a call told once. */
    ONE_SIDED,
    /** By a program that looks the key up at the server's queues. */
    OFFLOAD
}
