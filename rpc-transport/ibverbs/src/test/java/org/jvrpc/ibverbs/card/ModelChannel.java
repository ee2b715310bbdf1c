package org.jvrpc.ibverbs.card;

import jnr.ffi.LibraryLoader;
import jnr.ffi.annotations.Out;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;

/** A file descriptor of events: a pipe. */
final class ModelChannel {

    private static final Pipes PIPES = LibraryLoader.create(Pipes.class).load("c");

    private final Native word = Native.allocate(8);
    final int readFd;
    private final int writeFd;

    /** What libc has for it. */
    public interface Pipes {
        int pipe(@Out int[] fds);
    }

    ModelChannel() {
        int[] fds = new int[2];
        if (PIPES.pipe(fds) != 0) {
            throw new AssertionError("no pipe");
        }
        readFd = fds[0];
        writeFd = fds[1];
    }

    /** Writes 8 bytes. */
    void event(long value) {
        Libraries.c().write(writeFd, word.putLong(0, value).address(), 8);
    }

    /** Takes 8 bytes that are there. */
    void take() {
        Libraries.c().read(readFd, word.address(), 8);
    }

    void close() {
        Libraries.c().close(readFd);
        Libraries.c().close(writeFd);
    }
}
