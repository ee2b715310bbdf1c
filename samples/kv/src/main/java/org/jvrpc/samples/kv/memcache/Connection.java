package org.jvrpc.samples.kv.memcache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * A connection: a session and its socket. Reads only while all answers are sent, so that a peer that does not take them
 * is not read from either. Has buffers only while there is something in them. One event loop.
 */
final class Connection {

    /** When large buffers are short, a peer must move so much a second on average to keep one, after a first second. */
    private static final long LEAST_BYTES_PER_SECOND = 64 << 10;
    private static final long PATIENCE_NS = 1_000_000_000;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Session session;
    private final BufferPool pool;
    private final ServerStatus status;
    private ByteBuffer in;
    private boolean closing;
    /** There is no buffer for the command at hand: it is to be processed once more, and refused. */
    private boolean mustRefuse;
    /** Since when there is a large buffer here, and the bytes that went in or out since. */
    private boolean large;
    private long largeSinceNs;
    private long moved;

    Connection(SocketChannel channel, SelectionKey key, Session session, BufferPool pool, ServerStatus status) {
        this.channel = channel;
        this.key = key;
        this.session = session;
        this.pool = pool;
        this.status = status;
    }

    /** Reads or writes what there is. Whatever is thrown ends this connection and no other. */
    void ready() {
        try {
            step();
            noteLarge();
        } catch (IOException e) {
            // The peer is gone, which is its right.
            close();
        } catch (RuntimeException | Error e) {
            EventLoop.report(e);
            close();
        }
    }

    private void step() throws IOException {
        if (!session.out.isEmpty()) {
            if (!send()) {
                return;
            }
            if (closing) {
                close();
                return;
            }
        } else if (!receive()) {
            close();
            return;
        }
        run();
    }

    private void noteLarge() {
        boolean isLarge = in != null && in.capacity() > BufferPool.SMALL || session.out.isLarge();
        if (isLarge && !large) {
            largeSinceNs = System.nanoTime();
            moved = 0;
        }
        large = isLarge;
    }

    /** Returns true for a peer that keeps a large buffer and hardly uses it: others go without. */
    boolean isSlow(long nowNs) {
        long held = nowNs - largeSinceNs;
        return large && held > PATIENCE_NS && moved * 1e9 / held < LEAST_BYTES_PER_SECOND;
    }

    /** @return false at the end of the stream */
    private boolean receive() throws IOException {
        if (in == null) {
            in = pool.take(BufferPool.SMALL);
        }
        int bytes = channel.read(in);
        if (bytes > 0) {
            status.bytesRead.add(bytes);
            moved += bytes;
        }
        return bytes >= 0;
    }

    private void run() throws IOException {
        while (true) {
            Progress progress = Progress.NEED_INPUT;
            if (in != null) {
                in.flip();
                progress = session.process(in);
                keepRest(progress == Progress.NEED_INPUT);
            }
            closing = progress == Progress.CLOSE;
            if (!session.out.isEmpty() && !send()) {
                return;
            }
            if (closing) {
                close();
                return;
            }
            if (progress == Progress.NEED_INPUT && !mustRefuse) {
                interest(SelectionKey.OP_READ);
                return;
            }
            mustRefuse = false;
        }
    }

    /** Keeps what was not processed, at the buffer's begin, in a buffer that is long enough for the command. */
    private void keepRest(boolean wantsMore) {
        int rest = in.remaining();
        int needed = wantsMore ? Math.max(session.needed(), rest + 1) : Math.max(1, rest);
        if (rest == 0 && needed <= BufferPool.SMALL) {
            pool.give(in);
            in = null;
        } else if (needed > in.capacity() || needed <= BufferPool.SMALL && in.capacity() > BufferPool.SMALL) {
            ByteBuffer other = needed > BufferPool.LARGEST ? null : pool.take(needed);
            if (other != null) {
                other.put(in);
                pool.give(in);
                in = other;
            } else {
                session.refuseLongInput();
                mustRefuse = true;
                toBegin();
            }
        } else {
            toBegin();
        }
    }

    private void toBegin() {
        if (in.position() == 0) {
            // No copy: a long value grows in place.
            in.position(in.limit()).limit(in.capacity());
        } else {
            in.compact();
        }
    }

    /** @return false when the socket takes no more for now */
    private boolean send() throws IOException {
        ByteBuffer unsent = session.out.unsent();
        int bytes = channel.write(unsent);
        status.bytesWritten.add(bytes);
        moved += bytes;
        session.out.sent();
        boolean all = session.out.isEmpty();
        if (!all) {
            interest(SelectionKey.OP_WRITE);
        }
        return all;
    }

    private void interest(int operations) {
        if (key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            // There is nothing left that could be lost.
        }
        session.out.release();
        if (in != null) {
            pool.give(in);
            in = null;
        }
        status.connections.decrementAndGet();
    }
}
