package org.jvrpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jvrpc.tcp.link.Quietly;

/**
 * Those who were told why they are refused and may not have read it yet: a socket that is closed with bytes unread
 * throws away what it has sent. What they still say is read and forgotten, for a while. Control thread.
 */
final class Farewells {

    private static final int MOST = 64;
    private static final long PATIENCE_NS = 2_000_000_000L;
    private static final int MOST_READS = 16;

    private final ByteBuffer scrap = ByteBuffer.allocateDirect(1 << 13);
    private final ArrayDeque<Leaving> all = new ArrayDeque<>();

    private record Leaving(SocketChannel channel, long sinceNs) { }

    /** Somebody was told why; nothing more is sent. */
    void add(SocketChannel channel, long nowNs) {
        if (all.size() >= MOST) {
            SocketChannel oldest = all.remove().channel();
            Quietly.end(oldest, oldest);
        }
        Quietly.end(channel, channel::shutdownOutput);
        all.add(new Leaving(channel, nowNs));
    }

    /** Closes those who went, or take too long over it. */
    void look(long nowNs) {
        for (Iterator<Leaving> each = all.iterator(); each.hasNext();) {
            Leaving leaving = each.next();
            if (nowNs - leaving.sinceNs > PATIENCE_NS || hasLeft(leaving.channel)) {
                each.remove();
                Quietly.end(leaving.channel, leaving.channel);
            }
        }
    }

    private boolean hasLeft(SocketChannel channel) {
        try {
            int count = 1;
            for (int i = 0; i < MOST_READS && count > 0; i++) {
                count = channel.read(scrap.clear());
            }
            return count < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** The end of the server. */
    void close() {
        all.forEach(leaving -> Quietly.end(leaving.channel, leaving.channel));
        all.clear();
    }
}
