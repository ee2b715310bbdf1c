package org.jvrpc.runtime.session;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.Rest;
import org.jvrpc.api.wire.WireReader;

/**
 * A long body that is decoded while it lies at the peer, where the link fetches at once: arrays are copied from there
 * to where they are wanted, and nothing else is. Its first bytes are fetched beforehand; whoever wants to read or view
 * others has all of it brought to memory of this side, as the peer may change its own. One body after the other; the
 * thread that uses the link.
 */
public abstract class FarBody implements Rest {

    /** What may be fetched in one turn of a session that nobody waits behind. */
    static final int MOST_BYTES = Fetches.WHOLE_TURN * Fetches.BYTES_A_MESSAGE;
    private static final int HEAD_BYTES = 64;

    private final Link link;
    private final Bodies bodies;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_BYTES);
    private long source;
    private int key;
    private int length;
    private int atHand;

    protected FarBody(Link link, Bodies bodies) {
        this.link = link;
        this.bodies = bodies;
    }

    /** The body cannot be read any more: the link is of no use. Returns what its call ends with. */
    protected abstract RpcException lost();

    /** Takes over the memory that all of the body is brought to, until its call is over. */
    protected abstract void keep(Body body);

    /**
     * Begins with a body.
     *
     * @param source where the peer has it, as its message's {@link Descriptor} says
     * @param key to it, as the same says
     * @return false when it is to be fetched, also so that whatever is wrong with it comes to light
     */
    public final boolean begin(long source, int key, int length) {
        this.source = source;
        this.key = key;
        this.length = length;
        this.atHand = Math.min(HEAD_BYTES, length);
        return length > 0 && length <= MOST_BYTES && link.fetchNow(source, key, head, 0, atHand);
    }

    /** Has its values read. */
    public final void read(WireReader reader, ObjectCodec objects) {
        reader.reset(head, 0, atHand, length, objects, this);
    }

    @Override
    public final void copy(int position, ByteBuffer target, int at, int bytes) {
        if (!link.fetchNow(source + position, key, target, at, bytes)) {
            throw lost();
        }
    }

    @Override
    public final void bring(WireReader reader) {
        int begin = (int) source & Bodies.LINE - 1; // or every other line of arrays takes two accesses
        Body body = bodies.takeForFetch(begin + length);
        keep(body);
        body.buffer().put(begin, head, 0, atHand);
        copy(atHand, body.buffer(), begin + atHand, length - atHand);
        reader.moveTo(body.buffer(), begin);
    }
}
