package org.jvrpc.runtime.retry;

import java.nio.ByteBuffer;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;

/** The bytes of an answer that is decoded by another thread than took it. */
record RawAnswer(ByteBuffer memory, int length, int thrown) {

    /** Returns what keeps an answer's bytes in place of decoding them. */
    static ResultReader<RawAnswer> reader(BufferPool buffers) {
        return (in, thrown) -> {
            int length = in.remaining();
            ByteBuffer memory = buffers.take(length);
            in.readRaw(memory, 0, length);
            return new RawAnswer(memory, length, thrown);
        };
    }

    WireReader read(ObjectCodec objects) {
        WireReader reader = new WireReader();
        reader.reset(memory, 0, length, objects);
        return reader;
    }
}
