package org.jvrpc.runtime.client.callback;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;

/**
 * An answer that was taken out of its slot, as others wait for slots before its callback could be called: they may hold
 * what that waits for.
 */
public final class DetachedAnswer implements EndedCall {

    private final SlotCallback heard;
    private final RpcException failure;
    private final int thrown;
    private final WireReader reader = new WireReader();
    private final Bodies bodies;
    private final Body body;

    /**
     * Takes it over.
     *
     * @param body where it lies, which is given back; null where it is copied from {@code memory}
     */
    public DetachedAnswer(SlotCallback heard, RpcException failure, int thrown, ByteBuffer memory, int length,
            ObjectCodec objects, Bodies bodies, Body body) {
        this.heard = heard;
        this.failure = failure;
        this.thrown = thrown;
        this.bodies = bodies;
        this.body = body;
        ByteBuffer bytes = body != null ? body.buffer()
                : ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN).put(0, memory, 0, length);
        reader.reset(bytes, 0, length, objects);
    }

    /** Calls. */
    public void run() {
        heard.run(this);
    }

    @Override
    public RpcException failed() {
        return failure;
    }

    @Override
    public WireReader answered() {
        return reader;
    }

    @Override
    public int thrown() {
        return thrown;
    }

    @Override
    public void leaveToCallback() {
        if (body != null) {
            bodies.give(body);
        }
    }
}
