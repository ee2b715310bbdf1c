package org.jvrpc.runtime.service;

import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;

/**
 * What travels after the body of some calls: the time that is left, and metadata.
 *
 * @param deadlineNs nanoseconds from when it was sent, 0 for none
 * @param metadata the call's own, which its interceptors may change; null in {@link #NONE} alone
 */
public record Extension(long deadlineNs, Metadata metadata) {

    /** What a call has that came without one, until somebody asks for its metadata. All calls share it. */
    static final Extension NONE = new Extension(0, null);
    private static final int MAX_ENTRIES = 256;
    /** Tokens are longer than other entries; with the name of their kind. */
    private static final int MAX_SHOWN = TokenVerifier.MAX_CHARS + 16;

    /** Returns this, or in the place of {@link #NONE} one with metadata that is the call's own. */
    public Extension own() {
        return this == NONE ? new Extension(0, new Metadata()) : this;
    }

    /** Returns the time left to a call that arrived at a time; {@link Long#MAX_VALUE} when its caller did not say. */
    long leftNs(Clock clock, long arrivedNs) {
        return deadlineNs == 0 ? Long.MAX_VALUE : deadlineNs - (clock.nanoTime() - arrivedNs);
    }

    /** Writes one after the body and returns its length. */
    public static int write(WireWriter out, long deadlineNs, Metadata metadata) {
        int before = out.length();
        out.writeLong(deadlineNs);
        int count = metadata == null ? 0 : metadata.size();
        if (count > MAX_ENTRIES) {
            throw RpcException.notRun(Status.INVALID_ARGUMENT, "too much metadata: entries=" + count + " limit="
                    + MAX_ENTRIES);
        }
        out.writeCount(count);
        if (count > 0) {
            metadata.forEach((name, value) -> {
                writeEntry(out, name, Metadata.MAX_ENTRY_BYTES);
                writeEntry(out, value, name.equals(CallCredentials.NAME) ? MAX_SHOWN : Metadata.MAX_ENTRY_BYTES);
            });
        }
        int length = out.length() - before;
        if (length > RpcHeader.MAX_EXTENSION) {
            throw RpcException.notRun(Status.INVALID_ARGUMENT, "metadata is too long: bytes=" + length + " limit="
                    + RpcHeader.MAX_EXTENSION);
        }
        return length;
    }

    private static void writeEntry(WireWriter out, String text, int limit) {
        if (text.length() > limit) {
            throw RpcException.notRun(Status.INVALID_ARGUMENT, "metadata entry is too long: chars=" + text.length()
                    + " limit=" + limit);
        }
        out.writeString(text);
    }

    /** Reads one. */
    public static Extension read(WireReader in) {
        long deadlineNs = in.readLong();
        int count = in.readCount(8);
        Metadata metadata = new Metadata();
        for (int i = 0; i < count; i++) {
            String name = in.readString();
            metadata.put(name, in.readString());
        }
        return new Extension(deadlineNs, metadata);
    }
}
