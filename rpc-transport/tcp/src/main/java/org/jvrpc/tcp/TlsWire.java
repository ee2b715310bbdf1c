package org.jvrpc.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jvrpc.tcp.link.Wire;

/**
 * Bytes by TLS. The hand-shake goes on as somebody reads or writes, which move nothing until it is done; what it has to
 * compute is computed at once. One thread at a time.
 */
final class TlsWire implements Wire {

    /** A client that does not speak TLS. */
    static final class PlaintextException extends IOException {

        private static final long serialVersionUID = 1L;

        PlaintextException() {
            super("does not speak TLS");
        }
    }

    private final SocketChannel channel;
    private final SSLEngine engine;
    private ByteBuffer netIn;
    /** What is to be sent, from its position on. */
    private ByteBuffer netOut;
    /** What was received and not taken, from its position on. */
    private ByteBuffer received;
    private boolean needsMore = true;
    private boolean began;

    TlsWire(SocketChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        netIn = ByteBuffer.allocateDirect(packet);
        netOut = ByteBuffer.allocateDirect(packet).limit(0);
        received = ByteBuffer.allocateDirect(engine.getSession().getApplicationBufferSize()).limit(0);
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    /** Returns true once both sides have proven what they have to. */
    boolean isReady() {
        return began && isQuiet();
    }

    /** Returns what the other side has proven itself by, its own certificate first; empty where it did not have to. */
    List<X509Certificate> peerCertificates() {
        try {
            return Stream.of(engine.getSession().getPeerCertificates()).map(X509Certificate.class::cast).toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    private boolean isQuiet() {
        HandshakeStatus status = engine.getHandshakeStatus();
        return status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!received.hasRemaining() && !receive()) {
            return engine.isInboundDone() ? -1 : 0;
        }
        int count = Math.min(received.remaining(), target.remaining());
        target.put(received.slice(received.position(), count));
        received.position(received.position() + count);
        return count;
    }

    /** Goes on with the hand-shake, and opens the next record; false where none came. */
    private boolean receive() throws IOException {
        begin();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> compute();
                case NEED_WRAP -> {
                    if (!sendRecord()) {
                        return false;
                    }
                }
                default -> {
                    if (needsMore && !readSome()) {
                        return false;
                    }
                    if (openRecord()) {
                        return true;
                    }
                    if (engine.isInboundDone()) {
                        return false;
                    }
                }
            }
        }
    }

    private void begin() throws SSLException {
        if (!began) {
            began = true;
            engine.beginHandshake();
        }
    }

    private void compute() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private boolean readSome() throws IOException {
        int count = channel.read(netIn);
        if (count < 0) {
            if (!isReady()) {
                throw new SSLException("the other side ended the hand-shake: does it speak TLS?");
            }
            return end();
        }
        if (count > 0 && !engine.getUseClientMode() && !isQuiet() && netIn.get(0) == 'j') {
            throw new PlaintextException();
        }
        needsMore = count == 0;
        return count > 0;
    }

    /** Without a word of the other side, which is as good: whoever needs to know has words of its own. */
    private boolean end() {
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            return false; // it is closed all the same
        }
        return false;
    }

    /** Opens what was read; true when bytes came of it. */
    private boolean openRecord() throws SSLException {
        received.clear();
        netIn.flip();
        SSLEngineResult result;
        try {
            result = engine.unwrap(netIn, received);
        } finally {
            netIn.compact();
            received.flip();
        }
        switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> {
                needsMore = true;
                netIn = grown(netIn, engine.getSession().getPacketBufferSize());
            }
            case BUFFER_OVERFLOW -> received =
                    ByteBuffer.allocateDirect(engine.getSession().getApplicationBufferSize()).limit(0);
            default -> needsMore = netIn.position() == 0;
        }
        return received.hasRemaining();
    }

    private static ByteBuffer grown(ByteBuffer filled, int capacity) {
        return filled.capacity() >= capacity ? filled : ByteBuffer.allocateDirect(capacity).put(filled.flip());
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!isReady()) {
            if (!received.hasRemaining()) {
                receive();
            }
            if (!isReady()) {
                return 0;
            }
        }
        long total = 0;
        while (hasRemaining(sources, offset, length)) {
            drain();
            if (netOut.hasRemaining()) {
                return total;
            }
            int count = seal(sources, offset, length);
            if (count == 0) {
                break;
            }
            total += count;
        }
        drain();
        return total;
    }

    private static boolean hasRemaining(ByteBuffer[] sources, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (sources[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Makes a record of what there is. */
    private int seal(ByteBuffer[] sources, int offset, int length) throws IOException {
        netOut.clear();
        SSLEngineResult result;
        try {
            result = engine.wrap(sources, offset, length, netOut);
        } finally {
            netOut.flip();
        }
        switch (result.getStatus()) {
            case BUFFER_OVERFLOW -> {
                netOut = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize()).limit(0);
                return seal(sources, offset, length);
            }
            case CLOSED -> throw new SSLException("the connection is closed");
            default -> { }
        }
        return result.bytesConsumed();
    }

    /** Sends a record of the hand-shake; false where the last one has not left. */
    private boolean sendRecord() throws IOException {
        drain();
        if (netOut.hasRemaining()) {
            return false;
        }
        seal(new ByteBuffer[] {ByteBuffer.allocate(0)}, 0, 1);
        drain();
        return true;
    }

    @Override
    public void drain() throws IOException {
        if (netOut.hasRemaining()) {
            channel.write(netOut);
        }
    }

    @Override
    public int pending() {
        return netOut.remaining();
    }
}
