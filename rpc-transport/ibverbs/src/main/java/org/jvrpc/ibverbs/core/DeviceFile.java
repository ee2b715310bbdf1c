package org.jvrpc.ibverbs.core;

import java.lang.ref.Reference;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;

/** The command file of a device, whose number may be that of another file at once when it is closed. Any thread. */
final class DeviceFile implements CommandFile {

    private final LibC c = Libraries.c();
    private final int fd;
    private final Gate gate = new Gate();

    DeviceFile(int fd) {
        this.fd = fd;
    }

    @Override
    public boolean write(Native command, int bytes) {
        if (!gate.enter()) {
            return false;
        }
        try {
            long written = c.write(fd, command.address(), bytes);
            Reference.reachabilityFence(command);
            return written == bytes;
        } finally {
            gate.leave();
        }
    }

    @Override
    public boolean isClosed() {
        return gate.isClosed();
    }

    /** Refuses commands from now on, and waits for those under way. */
    void close() {
        gate.close();
    }
}
