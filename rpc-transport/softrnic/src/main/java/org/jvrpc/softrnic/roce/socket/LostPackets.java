package org.jvrpc.softrnic.roce.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts packets that a socket did not take: they are sent again, until retries are used up, so that nothing but a log
 * says why. Any thread.
 */
public final class LostPackets {

    private static final Logger LOG = LoggerFactory.getLogger(LostPackets.class);
    private static final long SILENCE_NS = 60_000_000_000L;

    private final AtomicLong count = new AtomicLong();
    private final AtomicLong warnedNs = new AtomicLong(System.nanoTime() - SILENCE_NS);

    /** One was not taken. */
    public void lost(InetSocketAddress to, IOException cause) {
        count.incrementAndGet();
        long nowNs = System.nanoTime();
        long lastNs = warnedNs.get();
        if (cause instanceof PortUnreachableException) { // a peer that has left, which its QP learns
            LOG.debug("a packet to {} is lost: {}", to, cause.toString());
        } else if (nowNs - lastNs >= SILENCE_NS && warnedNs.compareAndSet(lastNs, nowNs)) {
            LOG.warn("packets to {} do not leave: {}: is the interface up, and its MTU as it was? QPs fail after their"
                    + " retries; of this kind lost={}", to, cause.getMessage(), count.get());
        } else {
            LOG.debug("a packet to {} is lost: {}", to, cause.toString());
        }
    }

    /** One found no room in a socket. */
    public void noRoom() {
        count.incrementAndGet();
    }

    /** Returns how many. */
    public long count() {
        return count.get();
    }
}
