package org.jvrpc.ibverbs.rxe;

import java.lang.ref.Reference;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.QpCommandLayouts.Header;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.verbs.VerbsException;

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
    boolean write(CommandFile file) {
        boolean taken = file.write(memory, bytes);
        Reference.reachabilityFence(this); // the kernel writes the answer until here
        return taken;
    }

    /** Returns the answer to what was written last. */
    Native answer() {
        return response;
    }

    /** Writes it and returns the answer. @throws VerbsException when the kernel refuses */
    Native execute(CommandFile file, String operation, String values) {
        if (!write(file)) {
            throw refused(file, operation, values);
        }
        return response;
    }

    /** Returns the error of a command that was written without success. */
    static VerbsException refused(CommandFile file, String operation, String values) {
        return file.isClosed() ? new VerbsException(operation, "device is closed; " + values)
                : NativeException.last(operation, values);
    }
}
