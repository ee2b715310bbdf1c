package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PeerIdentity;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One peer between accept and answer. The channel's thread reads the request; one thread answers it. */
final class ShmHandshake implements ShmChannel.Handler, ConnectionRequest {

    private static final Logger LOG = LoggerFactory.getLogger(ShmHandshake.class);
    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final Pattern DEVICE = Pattern.compile("d-(\\d+)-.*");
    private static final byte[] NONE = new byte[0];

    private final ShmListener listener;
    private final ShmNode node;
    private final SocketChannel socket;
    private final ShmChannel channel;
    private final CmFrame.Reader reader = new CmFrame.Reader();
    private final long startNs;
    private SelectionKey key;
    private CmFrame request;
    private boolean answered;

    ShmHandshake(ShmListener listener, ShmNode node, SocketChannel socket, ShmChannel channel) {
        this.listener = listener;
        this.node = node;
        this.socket = socket;
        this.channel = channel;
        this.startNs = channel.clock().getAsLong();
    }

    /** Reads the request, which most often is there already; where it is not, the channel waits for it. */
    void begin() throws IOException {
        ready();
        if (request == null && socket.isOpen()) {
            channel.watch(this);
            key = channel.register(socket, SelectionKey.OP_READ, this);
        }
    }

    @Override
    public boolean ready() {
        try {
            request = reader.read(socket);
            if (request == null) {
                return false;
            }
            if (key != null) {
                key.interestOps(0);
            }
        } catch (IOException | CancelledKeyException e) { // cancelled when the listener is closed at this moment
            LOG.debug("handshake at {}: {}", listener.address(), e.toString());
            drop();
            return false;
        }
        channel.unwatch(this);
        listener.handshakeEnded(this);
        if (request.version() != CmFrame.VERSION || request.type() != CmFrame.REQUEST) {
            send(rejection(("this side speaks version=" + CmFrame.VERSION + " of connection management, not version="
                    + request.version()).getBytes(StandardCharsets.UTF_8)));
            return false;
        }
        listener.offer(this);
        return true;
    }

    @Override
    public void tick(long nowNs) {
        if (nowNs - startNs > TIMEOUT_NS) {
            LOG.warn("a peer at {} sent no request in {} ms", listener.address(), TIMEOUT_NS / 1_000_000);
            drop();
        }
    }

    /** Ends it without a word. */
    void drop() {
        channel.unwatch(this);
        listener.handshakeEnded(this);
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket: {}", e.toString());
        }
    }

    @Override
    public byte[] privateData() {
        return request.privateData().clone();
    }

    /** The process that the peer's device is named after. */
    @Override
    public String peer() {
        try {
            Matcher device = DEVICE.matcher(ShmEndpoint.decode("connect", request.endpoint()).device());
            return device.matches() ? "process " + device.group(1) : null;
        } catch (VerbsException e) {
            return null; // no endpoint: nobody can be connected to it
        }
    }

    @Override
    public PeerIdentity identity() {
        try {
            UnixDomainPrincipal peer = socket.getOption(ExtendedSocketOptions.SO_PEERCRED);
            Matcher device = DEVICE.matcher(ShmEndpoint.decode("connect", request.endpoint()).device());
            return new PeerIdentity(peer.user().getName(), peer.group().getName(),
                    device.matches() ? Long.parseLong(device.group(1)) : -1);
        } catch (IOException | VerbsException | NumberFormatException e) {
            LOG.debug("who is at the other end of {}: {}", listener.address(), e.toString());
            return null;
        }
    }

    @Override
    public Connection accept(QueuePair qp, byte[] privateData) {
        return accept(qp, privateData, channel);
    }

    @Override
    public Connection accept(QueuePair qp, byte[] privateData, EventChannel watcher) {
        ShmPort port = ShmConnection.portOf(qp);
        CmFrame answer = CmFrame.of(CmFrame.ACCEPT, qp.endpoint(), privateData);
        answerOnce();
        ShmConnection connection = connect(port, (ShmChannel) watcher);
        try {
            answer.write(socket);
            if (key != null && watcher == channel) {
                key.attach(connection);
                key.interestOps(SelectionKey.OP_READ);
            } else {
                if (key != null) {
                    key.cancel();
                }
                connection.watch();
            }
            return node.keep(connection);
        } catch (IOException | IllegalStateException e) {
            connection.lost();
            throw new ConnectionException(Reason.UNREACHABLE, "the peer is gone: " + e, e);
        }
    }

    private ShmConnection connect(ShmPort port, ShmChannel watcher) {
        try {
            return ShmConnection.establish(node, port, socket, watcher, request);
        } catch (VerbsException e) {
            port.qp().error();
            send(rejection(cut(e.getMessage())));
            throw new ConnectionException(Reason.LOCAL, "cannot reach the peer's memory: " + e.getMessage(), e);
        }
    }

    @Override
    public void reject(byte[] privateData) {
        CmFrame answer = rejection(privateData);
        answerOnce();
        send(answer);
    }

    private static CmFrame rejection(byte[] privateData) {
        return CmFrame.of(CmFrame.REJECT, NONE, privateData);
    }

    /** Returns as much of a text as there is room for: it may quote the peer. */
    private static byte[] cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, Math.min(bytes.length, Device.MAX_PRIVATE_BYTES));
    }

    private void answerOnce() {
        if (answered) {
            throw new IllegalStateException("the request is answered already");
        }
        answered = true;
    }

    private void send(CmFrame answer) {
        try {
            answer.write(socket);
        } catch (IOException e) {
            LOG.debug("peer at {} is gone: {}", listener.address(), e.toString());
        }
        drop();
    }
}
