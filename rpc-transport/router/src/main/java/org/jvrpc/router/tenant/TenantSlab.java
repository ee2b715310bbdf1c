package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jvrpc.softrnic.memory.Slab;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of a tenant's that is mapped. Its channel stays open: by it the file is looked at whatever name it has. Any
 * thread.
 */
final class TenantSlab {

    private static final Logger LOG = LoggerFactory.getLogger(TenantSlab.class);

    private final Slab slab;
    private final FileChannel channel;

    TenantSlab(Slab slab, FileChannel channel) {
        this.slab = slab;
        this.channel = channel;
    }

    Slab slab() {
        return slab;
    }

    /** Returns false when the file is shorter than what is mapped: who touches the rest gets an InternalError. */
    boolean isWhole() {
        try {
            return channel.size() >= slab.length();
        } catch (IOException e) {
            return !channel.isOpen(); // given up already, so nobody's memory
        }
    }

    /** Returns true when the file has no memory any more. */
    boolean isEmpty() {
        try {
            return channel.size() == 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns the memory to the system. Nobody may touch it any more. */
    void empty() {
        try {
            channel.truncate(0);
        } catch (IOException e) {
            LOG.warn("cannot empty a slab of bytes={}: {}", slab.length(), e.toString());
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("closing a slab: {}", e.toString());
        }
    }
}
