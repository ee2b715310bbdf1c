package org.jvrpc.softrnic.roce;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device on the network: its socket, the thread that takes packets when nobody polls, and its QPs. Any thread. */
public final class RoceNode implements AutoCloseable {

    /** Bytes of the longest packet, with its ICRC. */
    static final int MOST_PACKET = 4096 + 64;

    private static final Logger LOG = LoggerFactory.getLogger(RoceNode.class);
    private static final int BATCH = 32;
    private static final long TICK_MS = 4;
    private static final int SOCKET_BYTES = 4 << 20;

    private final DatagramChannel channel;
    private final Selector selector;
    private final InetSocketAddress address;
    private final Map<Integer, RocePort> ports = new ConcurrentHashMap<>();
    private final ReentrantLock receiving = new ReentrantLock();
    private final ByteBuffer in = ByteBuffer.allocateDirect(MOST_PACKET);
    private final Packet packet = new Packet();
    private final RoceEngine[] touched = new RoceEngine[BATCH];
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    private RoceNode(DatagramChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.address = (InetSocketAddress) channel.getLocalAddress();
        this.thread = new Thread(this::run, "jvrpc-roce-" + address.getPort());
        thread.setDaemon(true);
    }

    /**
     * Opens a socket and begins to take packets.
     *
     * @param at this machine's address, not the wildcard, as the ICRC covers it; port 0 for any
     * @throws VerbsException when the address is in use, or none of this machine's
     */
    public static RoceNode open(InetSocketAddress at) {
        try {
            DatagramChannel channel = DatagramChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
            channel.bind(at);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            RoceNode node = new RoceNode(channel, selector);
            node.thread.start();
            return node;
        } catch (IOException e) {
            throw new VerbsException("open_device", "no UDP socket at address=" + at + ": " + e.getMessage());
        }
    }

    InetSocketAddress address() {
        return address;
    }

    long nowNs() {
        return System.nanoTime();
    }

    void add(int qpn, RocePort port) {
        ports.put(qpn, port);
    }

    void remove(int qpn) {
        ports.remove(qpn);
    }

    void dropped() {
        dropped.incrementAndGet();
    }

    /** Returns how many packets were dropped that were none, or for nobody. */
    public long droppedPackets() {
        return dropped.get();
    }

    /** Sends a packet; it is lost where the socket has no room. */
    void send(ByteBuffer bytes, InetSocketAddress to) {
        try {
            channel.send(bytes, to);
        } catch (IOException e) {
            LOG.debug("a packet to {} is lost: {}", to, e.toString());
        }
    }

    private void run() {
        while (!closed) {
            try {
                selector.select(TICK_MS);
                selector.selectedKeys().clear();
                poll();
                tick();
            } catch (IOException | ClosedSelectorException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("taking packets at {} failed", address, e);
            }
        }
    }

    private void tick() {
        long nowNs = nowNs();
        for (RocePort port : ports.values()) {
            if (port.roce().deadlineNs() - nowNs <= 0) {
                port.roce().go();
            }
        }
    }

    /** Takes packets that came; returns true when there were any. Nothing where another thread does. */
    boolean poll() {
        if (!receiving.tryLock()) {
            return false;
        }
        int count = 0;
        try {
            for (; count < BATCH; count++) {
                in.clear();
                InetSocketAddress from = (InetSocketAddress) channel.receive(in);
                if (from == null) {
                    break;
                }
                touched[count] = take(from, in.position());
            }
        } catch (IOException e) {
            LOG.debug("no packets at {}: {}", address, e.toString());
        } finally {
            settle(count);
            receiving.unlock();
        }
        return count > 0;
    }

    private RoceEngine take(InetSocketAddress from, int bytes) {
        int length = bytes - Icrc.BYTES;
        if (packet.parse(in, 0, length) != Packet.Verdict.OK) {
            dropped();
            return null;
        }
        RocePort port = ports.get(packet.qpn());
        if (port == null) {
            dropped();
            return null;
        }
        port.roce().receive(packet, in, length, from);
        return port.roce();
    }

    private void settle(int count) {
        for (int i = 0; i < count; i++) {
            RoceEngine engine = touched[i];
            touched[i] = null;
            if (engine != null && (i + 1 == count || touched[i + 1] != engine)) {
                engine.go();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            selector.close();
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing {}: {}", address, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
