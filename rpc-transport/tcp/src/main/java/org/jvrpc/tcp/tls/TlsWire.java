package org.jvrpc.tcp.tls;

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
import javax.net.ssl.SSLSession;
import org.jvrpc.tcp.link.Wire;

/**
 * Bytes by TLS. The hand-shake goes on as somebody reads or writes, which move nothing until it is done; what a server
 * has to compute for it is computed by other threads. Nobody agrees anew later. One thread at a time.
 */
public final class TlsWire implements Wire {

    private static final int MOST_ALERTS = 4;
    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final TlsKeys keys;
    /** Has the thread look that reads: something was computed. Null where that thread computes. */
    private final Runnable wake;
    private final long beganMs = System.currentTimeMillis();
    private final ByteBuffer[] single = new ByteBuffer[1];
    private ByteBuffer netIn = RecordMemory.NONE;
    /** What is to be sent, from its position on. */
    private ByteBuffer netOut = RecordMemory.NONE;
    /** What was received and not taken, from its position on. */
    private ByteBuffer received = RecordMemory.NONE;
    private boolean needsMore = true;
    /** The last look tried to open a record. */
    private boolean opened;
    private boolean began;
    /** The other side sends nothing more, and this one has read all. */
    private boolean ended;
    /** The first hand-shake is over, and there is no other. */
    private boolean done;
    private volatile boolean computing;
    private X509Certificate[] peer = {};

    /**
     * Makes that of a client, whose thread computes.
     *
     * @param host that the server proves to be
     */
    public static TlsWire ofClient(SocketChannel channel, TlsKeys keys, String host, int port) throws IOException {
        return new TlsWire(channel, keys, keys.engine(host, port, true), null);
    }

    /** Makes that of a server. @param wake has the thread look that reads; any thread calls it */
    public static TlsWire ofServer(SocketChannel channel, TlsKeys keys, Runnable wake) throws IOException {
        return new TlsWire(channel, keys, keys.engine(null, -1, false), wake);
    }

    private TlsWire(SocketChannel channel, TlsKeys keys, SSLEngine engine, Runnable wake) {
        this.channel = channel;
        this.engine = engine;
        this.keys = keys;
        this.wake = wake;
    }

    @Override
    public void rest() {
        if (netIn.position() == 0) {
            netIn = RecordMemory.giveBack(netIn);
        }
        if (!netOut.hasRemaining()) {
            netOut = RecordMemory.giveBack(netOut);
        }
        if (!received.hasRemaining()) {
            received = RecordMemory.giveBack(received);
        }
    }

    /** Returns how many pieces of memory those of this process have now. Any thread. */
    public static int lent() {
        return RecordMemory.lent();
    }

    /** What came, what was opened and what is to be sent, a record of each; what the engine has is its own affair. */
    @Override
    public long mostBytes() {
        return 3L * RecordMemory.BYTES;
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    /** Returns true once both sides have proven what they have to. */
    boolean isReady() throws IOException {
        if (!done && began && !computing && isQuiet()) {
            done = true;
            know();
        }
        return done && isQuiet();
    }

    private boolean isQuiet() {
        HandshakeStatus status = engine.getHandshakeStatus();
        return status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED;
    }

    /** Looks who the other side is. What was agreed upon before is taken up again without a look at certificates. */
    private void know() throws IOException {
        SSLSession session = engine.getSession();
        try {
            peer = Stream.of(session.getPeerCertificates()).toArray(X509Certificate[]::new);
        } catch (SSLPeerUnverifiedException e) {
            return; // a client that was not asked
        }
        String refusal = isResumed() ? keys.refusal(peer, !engine.getUseClientMode()) : null;
        if (refusal != null) {
            session.invalidate();
            throw new SSLException(refusal);
        }
    }

    /** Returns true where the session is older than the connection: no certificate was shown for this one. */
    boolean isResumed() {
        return engine.getSession().getCreationTime() < beganMs;
    }

    /** Returns what the other side has proven itself by, its own certificate first; empty where it did not have to. */
    public List<X509Certificate> peerCertificates() {
        return List.of(peer);
    }

    @Override
    public String refusal() {
        return peer.length == 0 ? null : keys.refusalLately(peer, !engine.getUseClientMode());
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            if (!received.hasRemaining() && !receive()) {
                return ended ? -1 : 0;
            }
        } catch (SSLException e) {
            throw failed(e);
        }
        int count = Math.min(received.remaining(), target.remaining());
        if (count == received.remaining()) {
            target.put(received);
        } else {
            target.put(received.slice(received.position(), count));
            received.position(received.position() + count);
        }
        return count;
    }

    /** Tells the other side why this one ends, as far as there is room, and says what the other side's number means. */
    private SSLException failed(SSLException e) {
        for (int i = 0; i < MOST_ALERTS && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
            try {
                sendRecord();
            } catch (IOException also) {
                e.addSuppressed(also);
            }
        }
        return Alerts.explain(e);
    }

    /** Goes on with the hand-shake, and opens the next record; false where none came. */
    private boolean receive() throws IOException {
        opened = false;
        boolean came = receiveSome();
        if (opened && !came) { // records that were for this side alone, which nobody who rests hears of
            rest();
        }
        return came;
    }

    private boolean receiveSome() throws IOException {
        begin();
        while (!computing) {
            HandshakeStatus status = engine.getHandshakeStatus();
            expectNoOther(status);
            switch (status) {
                case NEED_TASK -> {
                    if (!compute()) {
                        return false;
                    }
                }
                case NEED_WRAP -> {
                    if (!sendRecord()) {
                        return false;
                    }
                }
                default -> {
                    isReady();
                    if (needsMore && !readSome()) {
                        return false;
                    }
                    if (openRecord()) {
                        return true;
                    }
                    if (engine.isInboundDone()) {
                        ended = true;
                        return false;
                    }
                }
            }
        }
        return false;
    }

    /** By TLS 1.2 a peer could have this side agree anew as often as it likes; later versions know nothing of that. */
    private void expectNoOther(HandshakeStatus status) throws SSLException {
        boolean anew = done && (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP)
                && !engine.isInboundDone() && !engine.isOutboundDone();
        if (anew && !engine.getSession().getProtocol().equals("TLSv1.3")) {
            engine.closeOutbound();
            throw new SSLException("the other side wants to agree anew (renegotiation), which is refused");
        }
    }

    private void begin() throws SSLException {
        if (!began) {
            began = true;
            engine.beginHandshake();
        }
    }

    /** Returns false where somebody else computes, or is to. */
    private boolean compute() {
        if (wake == null || done) {
            computeAll();
            return true;
        }
        computing = true;
        if (!Handshakes.begin(this::computeBeside)) {
            computing = false;
        }
        return false;
    }

    private void computeAll() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private void computeBeside() {
        try {
            computeAll(); // what goes wrong the engine tells whoever reads
        } finally {
            computing = false;
            wake.run();
        }
    }

    private boolean readSome() throws IOException {
        boolean lent = netIn == RecordMemory.NONE;
        if (lent) {
            netIn = RecordMemory.lend(engine.getSession().getPacketBufferSize());
        }
        int count = channel.read(netIn);
        if (lent && count <= 0) {
            netIn = RecordMemory.giveBack(netIn);
        }
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
        ended = true;
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            return false; // it is closed all the same
        }
        return false;
    }

    /** Opens what was read; true when bytes came of it. */
    private boolean openRecord() throws SSLException {
        opened = true;
        if (received == RecordMemory.NONE) {
            received = RecordMemory.lend(engine.getSession().getApplicationBufferSize());
        }
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
                netIn = RecordMemory.grown(netIn, engine.getSession().getPacketBufferSize());
            }
            case BUFFER_OVERFLOW -> {
                RecordMemory.giveBack(received);
                received = RecordMemory.lend(engine.getSession().getApplicationBufferSize()).limit(0);
            }
            default -> needsMore = netIn.position() == 0;
        }
        return received.hasRemaining();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        single[0] = source;
        return (int) write(single, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            return isReady() || isReadyByNow() ? sealAll(sources, offset, length) : 0;
        } catch (SSLException e) {
            throw failed(e);
        }
    }

    private boolean isReadyByNow() throws IOException {
        if (!received.hasRemaining()) {
            receive();
        }
        return isReady();
    }

    private long sealAll(ByteBuffer[] sources, int offset, int length) throws IOException {
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
        if (netOut == RecordMemory.NONE) {
            netOut = RecordMemory.lend(engine.getSession().getPacketBufferSize());
        }
        netOut.clear();
        SSLEngineResult result;
        try {
            result = engine.wrap(sources, offset, length, netOut);
        } finally {
            netOut.flip();
        }
        switch (result.getStatus()) {
            case BUFFER_OVERFLOW -> {
                RecordMemory.giveBack(netOut);
                netOut = RecordMemory.lend(engine.getSession().getPacketBufferSize()).limit(0);
                return seal(sources, offset, length);
            }
            case CLOSED -> {
                if (result.bytesProduced() == 0) { // else it is the last word, which says why
                    throw new SSLException("the connection is closed");
                }
            }
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
        seal(NOTHING, 0, 1);
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
