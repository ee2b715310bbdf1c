package org.jvrpc.ibverbs.rxe;

import java.lang.ref.Reference;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.Header;
import org.jvrpc.ibverbs.core.NativeException;

/**
 * A command of the kernel's verbs, written to the command file of an opened device, and the room for its answer.
 *
 * <pre>
 * 0 command:32 | 4 in_words:16, out_words:16 | 8 the command's struct, which begins with the answer's address:64
 * </pre>
 *
 * <p>One thread.
 */
final class UverbsCommand {

    private final LibC c = Libraries.c();
    private final Native memory;
    private final Native response;
    private final int bytes;

    /** @param responseBytes of the answer, with the driver's part; 0 for a command without one */
    UverbsCommand(int number, int structBytes, int responseBytes) {
        this.bytes = Header.BYTES + structBytes;
        this.memory = Native.allocate(bytes)
                .putInt(Header.COMMAND, number)
                .putShort(Header.IN_WORDS, bytes / 4)
                .putShort(Header.OUT_WORDS, responseBytes / 4);
        this.response = Native.allocate(Math.max(responseBytes, 8));
        if (responseBytes > 0) {
            memory.putLong(Header.BYTES, response.address());
        }
    }

    UverbsCommand putByte(int field, int value) {
        memory.putByte(Header.BYTES + field, value);
        return this;
    }

    UverbsCommand putShort(int field, int value) {
        memory.putShort(Header.BYTES + field, value);
        return this;
    }

    UverbsCommand putInt(int field, int value) {
        memory.putInt(Header.BYTES + field, value);
        return this;
    }

    UverbsCommand putLong(int field, long value) {
        memory.putLong(Header.BYTES + field, value);
        return this;
    }

    UverbsCommand putBytes(int field, byte[] value) {
        memory.putBytes(Header.BYTES + field, value);
        return this;
    }

    /** Writes it; may be called again. Allocates nothing. @return true when the kernel took it */
    boolean write(int fd) {
        long written = c.write(fd, memory.address(), bytes);
        Reference.reachabilityFence(this); // the kernel reads the command, and writes the answer, until here
        return written == bytes;
    }

    /** Returns the answer to what was written last. */
    Native answer() {
        return response;
    }

    /** Writes it and returns the answer. @throws NativeException when the kernel refuses */
    Native execute(int fd, String operation, String values) {
        if (!write(fd)) {
            throw NativeException.last(operation, values);
        }
        return response;
    }
}
