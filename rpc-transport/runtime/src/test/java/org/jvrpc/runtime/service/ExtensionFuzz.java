package org.jvrpc.runtime.service;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any bytes behind a call's body. They are an extension, which comes out again when it is written, or refused by an
 * {@link RpcException}: INTERNAL by the reader, INVALID_ARGUMENT by a writer of what is longer than one may send.
 */
final class ExtensionFuzz {

    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    private static final WireWriter WRITER = new WireWriter();
    private static final WireReader READER = new WireReader();

    private ExtensionFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        int length = Math.min(input.length, RpcHeader.MAX_EXTENSION);
        MEMORY.put(0, input, 0, length);
        Extension read;
        try {
            read = read(length);
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INTERNAL, e);
            return;
        }
        FuzzCheck.that(read.deadlineNs() == MEMORY.getLong(0), read);
        FuzzCheck.that(8L * read.metadata().size() <= length, read);
        List<String> entries = entries(read.metadata());
        int written;
        try {
            WRITER.reset(MEMORY, 0, MEMORY.capacity(), null, null);
            written = Extension.write(WRITER, read.deadlineNs(), read.metadata());
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INVALID_ARGUMENT, e);
            return;
        }
        Extension again = read(written);
        FuzzCheck.that(again.deadlineNs() == read.deadlineNs() && entries(again.metadata()).equals(entries), again);
    }

    private static Extension read(int length) {
        READER.reset(MEMORY, 0, length, null);
        return Extension.read(READER);
    }

    private static List<String> entries(Metadata metadata) {
        List<String> entries = new ArrayList<>();
        metadata.forEach((name, value) -> {
            entries.add(name);
            entries.add(value);
        });
        return entries;
    }
}
