package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreRequest;

/**
 * A connection's protocol: takes commands from an input buffer and appends answers to its output. The first byte tells
 * the binary protocol from the text protocol. A command is carried out when all of it is in the buffer; until then it
 * stays there, and {@link #needed()} says how long the buffer must be at least. One thread.
 */
final class Session {

    private static final int BINARY_MAGIC = 0x80;

    final Store store;
    final ServerStatus status;
    final Output out;
    final StoreRequest request = new StoreRequest();
    private final TextProtocol text;
    private BinaryProtocol binary;
    private boolean begun;
    private boolean closing;
    private boolean noRoom;
    private long swallow;
    private int needed;

    Session(Store store, ServerStatus status, BufferPool pool) {
        this.store = store;
        this.status = status;
        out = new Output(pool);
        text = new TextProtocol(this);
    }

    /** Carries out what is between position and limit, and moves the position behind it. */
    Progress process(ByteBuffer in) {
        if (!begun && in.hasRemaining()) {
            begun = true;
            if ((in.get(in.position()) & 0xff) == BINARY_MAGIC) {
                binary = new BinaryProtocol(this);
            }
        }
        needed = 0;
        while (!closing) {
            if (swallow > 0) {
                int bytes = (int) Math.min(swallow, in.remaining());
                in.position(in.position() + bytes);
                swallow -= bytes;
            }
            if (!in.hasRemaining()) {
                return Progress.NEED_INPUT;
            }
            if (out.isEnough()) {
                return Progress.OUTPUT_FULL;
            }
            if (!(binary == null ? text.step(in) : binary.step(in))) {
                return closing ? Progress.CLOSE : Progress.NEED_INPUT;
            }
        }
        return Progress.CLOSE;
    }

    /** Returns how many bytes the command at the position has at least, 0 when that is not known. */
    int needed() {
        return needed;
    }

    /** Says that a buffer so long cannot be had: the command is refused when this is processed again. */
    void refuseLongInput() {
        noRoom = true;
    }

    /** Waits for so many bytes from the position on. @return always false: the step is not done */
    boolean await(int bytes) {
        needed = bytes;
        return false;
    }

    /** Returns true, once, when the command at hand is to be refused for want of a buffer. */
    boolean takeNoRoom() {
        boolean refused = noRoom;
        noRoom = false;
        return refused;
    }

    /** Leaves out the next bytes, which may not have come yet. */
    void swallow(long bytes) {
        swallow += bytes;
    }

    /** Ends the connection when the answers are sent. */
    void close() {
        closing = true;
    }
}
