package org.jvrpc.router.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.router.peer.PeerCodec.BadMessageException;
import org.jvrpc.tcp.tls.TlsWire;

/** One connection to another router: frames by TLS. The links' thread, but for {@link #offer}. */
final class Link {

    /** Reads at a time before others have their turn. */
    private static final int TURN = 64;

    private final boolean dialled;
    private final TlsWire wire;
    private final SelectionKey key;
    private final ByteBuffer in = ByteBuffer.allocate(PeerCodec.HEADER + PeerCodec.MAX_FRAME);
    private final Queue<ByteBuffer> out = new ConcurrentLinkedQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final long startNs;
    private long heardNs;
    private long saidNs;
    /** Who is to be there; of one that was not dialled null until it says so. */
    private String host;
    /** Null until both know each other. */
    private volatile Peer peer;
    private boolean ended;

    /** Gets what came. */
    interface Hears {
        void heard(Link link, int kind, ByteBuffer frame) throws BadMessageException, IOException;
    }

    Link(String host, boolean dialled, TlsWire wire, SelectionKey key, long nowNs) {
        this.host = host;
        this.dialled = dialled;
        this.wire = wire;
        this.key = key;
        this.startNs = nowNs;
        this.heardNs = nowNs;
        this.saidNs = nowNs;
    }

    boolean isDialled() {
        return dialled;
    }

    String host() {
        return host;
    }

    Peer peer() {
        return peer;
    }

    /** Both know each other now. */
    void up(Peer known) {
        host = known.host();
        peer = known;
    }

    long startNs() {
        return startNs;
    }

    long heardNs() {
        return heardNs;
    }

    long saidNs() {
        return saidNs;
    }

    SocketChannel channel() {
        return wire.channel();
    }

    SelectionKey key() {
        return key;
    }

    /** Returns what the other side has proven itself by; known once something was read. */
    List<X509Certificate> certificates() {
        return wire.peerCertificates();
    }

    /** Returns why the other side's certificate is not trusted any more, or null. */
    String refusal() {
        return wire.refusal();
    }

    /**
     * Has a frame sent behind those before. Any thread.
     *
     * @return false: more than so many bytes wait already
     */
    boolean offer(ByteBuffer frame, long most) {
        if (waiting.addAndGet(frame.remaining()) > most) {
            waiting.addAndGet(-frame.remaining());
            return false;
        }
        out.add(frame);
        return true;
    }

    /**
     * Sends and reads as far as that goes.
     *
     * @return true: there is more to read than its turn took
     * @throws IOException when the link is no more
     */
    boolean go(long nowNs, Hears hears) throws IOException, BadMessageException {
        flush(nowNs);
        boolean more = true;
        for (int i = 0; i < TURN && more && !ended; i++) {
            int count = wire.read(in);
            if (count < 0) {
                throw new EOFException("the other router closed the link");
            }
            more = count > 0;
            if (more) {
                heardNs = nowNs;
                parse(hears);
            }
        }
        if (!ended) {
            flush(nowNs);
        }
        return more && !ended;
    }

    private void parse(Hears hears) throws IOException, BadMessageException {
        in.flip();
        while (!ended && in.remaining() >= PeerCodec.HEADER) {
            int length = in.getInt(in.position());
            if (length < 1 || length > PeerCodec.MAX_FRAME) {
                throw new BadMessageException("length of a message=" + length + " limit=" + PeerCodec.MAX_FRAME);
            }
            if (in.remaining() < PeerCodec.HEADER + length) {
                break;
            }
            ByteBuffer frame = in.slice(in.position() + PeerCodec.HEADER, length);
            in.position(in.position() + PeerCodec.HEADER + length);
            hears.heard(this, PeerCodec.kind(frame), frame);
        }
        in.compact();
    }

    /** Sends what waits, as far as there is room. */
    void flush(long nowNs) throws IOException {
        wire.drain();
        for (ByteBuffer frame = out.peek(); frame != null; frame = out.peek()) {
            int count = wire.write(frame);
            waiting.addAndGet(-count);
            if (count > 0) {
                saidNs = nowNs;
            }
            if (frame.hasRemaining()) {
                break;
            }
            out.remove();
        }
        int wanted = SelectionKey.OP_READ | (wire.pending() > 0 ? SelectionKey.OP_WRITE : 0);
        if (key.isValid() && key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
        key.cancel();
        try {
            wire.close();
        } catch (IOException e) {
            return; // it is gone all the same
        }
    }
}
