package org.jvrpc.verbs;

import java.nio.ByteBuffer;

/**
 * The stateful form of post_send. {@code wr} is an index in the list of requests, {@code sge} one in that request's
 * list. SGE memory belongs to the device until the request completes; inline data is copied by {@link #execute()}.
 * Source: ibv_post_send(3). Difference: the refused request comes back as an index.
 */
public interface PostSend extends StatefulVerbCall {

    /** Bytes of the first SGE of a request that {@link #push} executes. */
    int HEADER_BYTES = 16;

    /** Changes the id that the completion will carry. */
    PostSend wrId(int wr, long wrId);

    /** Changes whether success is reported; failure always is. */
    PostSend signalled(int wr, boolean signalled);

    /** Changes the immediate data. @throws IllegalStateException when the opcode has none */
    PostSend immediate(int wr, int immediate);

    /** Changes an SGE's address; offsets count from it. */
    PostSend address(int wr, int sge, long address);

    /** Changes an SGE's address to {@code offset} bytes after the one it was made with, or set to since. */
    PostSend offset(int wr, int sge, long offset);

    /** Changes an SGE's length in bytes. */
    PostSend length(int wr, int sge, int length);

    /** Changes an SGE's key. */
    PostSend lkey(int wr, int sge, int lkey);

    /** Changes the remote address of a one-sided request. @throws IllegalStateException for a SEND */
    PostSend remoteAddress(int wr, long address);

    /** Changes the remote key of a one-sided request. @throws IllegalStateException for a SEND */
    PostSend rkey(int wr, int rkey);

    /**
     * Changes the operands of an atomic.
     *
     * @param compare compared with the remote value; ignored by fetch-and-add
     * @param swapOrAdd stored, or added
     */
    PostSend operands(int wr, long compare, long swapOrAdd);

    /**
     * Executes a single, unsignalled SEND of two SGEs, a header of {@value #HEADER_BYTES} bytes and a body, on a device
     * that can deliver it at once. The header is handed over: what lies in its memory is not looked at. A message that
     * was pushed takes no place in the send queue, has no completion, and its memory is the caller's again. Peers with
     * an SRQ are pushed nothing.
     *
     * @param first the header's first eight bytes, the lowest first
     * @param second its others
     * @param length of the body in bytes, for this time: what {@link #length} set stays
     * @return false, with nothing done, when the device or the moment does not allow it: then the header is written to
     *     its memory, the length set, and the request executed
     * @throws IllegalStateException as {@link #execute()}
     */
    boolean push(long first, long second, int length);

    /**
     * As {@link #push(long, long, int)}, of a body whose first bytes lie in the request's memory, and the others in any
     * buffer, registered or not, which is the caller's again when this returns.
     *
     * @param head bytes of the body in the request's memory
     * @param rest holds the others, whose position and limit are not looked at but for its bounds
     * @param length of the others, in bytes
     */
    default boolean push(long first, long second, int head, ByteBuffer rest, int at, int length) {
        return false;
    }

    /**
     * Executes a single READ on a device that can do so at once, into memory of the caller's that need not be
     * registered, in place of the request's own, and as long as is said here. Takes no place in the send queue and has
     * no completion; READs and SENDs that were posted may complete later.
     *
     * @param into any buffer, whose position and limit are not looked at but for its bounds
     * @return false when the device, the moment or the peer does not allow it, which {@link #execute()} would tell of;
     *     some bytes may have been copied
     * @throws IllegalStateException as {@link #execute()}
     */
    default boolean read(ByteBuffer into, int at, int length) {
        return false;
    }

    /** Changes where a datagram goes. @throws IllegalStateException when the request is none */
    default PostSend destination(int wr, Destination destination) {
        throw new IllegalStateException("a request without a destination gets none, wr=" + wr);
    }
}
