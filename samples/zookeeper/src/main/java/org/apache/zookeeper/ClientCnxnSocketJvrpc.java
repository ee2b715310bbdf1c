package org.apache.zookeeper;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.ClientCnxn.EndOfStreamException;
import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.jvrpc.samples.zookeeper.ZooKeeperLine;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's client over a jvRPC message session: chosen by {@code zookeeper.clientCnxnSocket}. A frame is a ZooKeeper
 * packet without its length.
 *
 * <p>Who sends and polls has the turn. A thread that makes a synchronous call takes it, when it is free, and polls for
 * its own answer: no other thread runs for the call. ZooKeeper's SendThread has the rest: asynchronous calls, watches,
 * answers to callers that came while another had the turn, pings, timeouts. It polls for a while before it sleeps.
 */
public final class ClientCnxnSocketJvrpc extends ClientCnxnSocket implements MessageHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ClientCnxnSocketJvrpc.class);
    /** How long connecting may take: as long as the kernel's connect of a socket may block the SendThread otherwise. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final long SPIN_NS = 20_000;
    private static final long POLL_NS = 200_000;
    private static final int SPINS_PER_LOOK = 16;
    private static final long MAX_QUEUED = 1 << 20;
    private static final int LENGTH_BYTES = 4;

    private final String template;
    private final ReentrantLock turn = new ReentrantLock();
    private final CallerBudget budget = new CallerBudget();
    private InetSocketAddress remote;
    private boolean attempted;
    private boolean connectSent;
    private boolean ended;
    private IOException failure;
    private Queue<Packet> pending;
    private ClientCnxn cnxn;
    private volatile MessageClient client;
    private volatile MessageSession session;
    /** True when callers may take the turn: the ZooKeeper session is there. */
    private volatile boolean open;
    private volatile boolean asleep;
    private volatile boolean nudged;

    /** Made by ZooKeeper. @throws IOException when a property of ZooKeeper's makes no sense */
    public ClientCnxnSocketJvrpc(ZKClientConfig config) throws IOException {
        ZooKeeperLine.check();
        this.clientConfig = config;
        this.template = config.getProperty(JvrpcAddress.PROPERTY, System.getProperty(JvrpcAddress.PROPERTY));
        initProperties();
    }

    @Override
    boolean isConnected() {
        return attempted;
    }

    /** A refusal is thrown by the next {@link #doTransport}, as with a socket: ZooKeeper looks at its clock between. */
    @Override
    void connect(InetSocketAddress address) throws IOException {
        String target = JvrpcAddress.of(template, address.getHostString(), address.getPort());
        initialized = false;
        connectSent = false;
        ended = false;
        failure = null;
        attempted = true;
        try {
            client = MessageClient.builder(target, this).timeout(CONNECT_TIMEOUT).connect();
        } catch (VerbsException | RpcException e) {
            failure = new ConnectException(target + " for " + address + ": " + e.getMessage());
            failure.initCause(e);
            return;
        }
        remote = address;
        session = client.session();
        updateNow();
        updateLastSendAndHeard();
        sendThread.primeConnection();
    }

    @Override
    SocketAddress getRemoteSocketAddress() {
        return client == null ? null : remote;
    }

    @Override
    SocketAddress getLocalSocketAddress() {
        return client == null ? null : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    void cleanup() {
        turn.lock();
        try {
            attempted = false;
            open = false;
            if (client != null) {
                session = null;
                client.close();
                client = null;
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    void close() {
        cleanup();
    }

    // ---- from other threads

    @Override
    void packetAdded() {
        Packet last = open && Thread.currentThread() != sendThread && !turn.isHeldByCurrentThread()
                ? outgoingQueue.peekLast() : null;
        if (last == null || last.cb != null || !callersTurn(last)) {
            nudge();
        }
    }

    @Override
    void onClosing() {
        nudge();
    }

    @Override
    void saslCompleted() {
        nudge();
    }

    @Override
    void connectionPrimed() {
        nudge();
    }

    private void nudge() {
        nudged = true;
        MessageClient sleeping = asleep ? client : null; // read after the SendThread looked for work the last time
        if (sleeping != null) {
            sleeping.wakeup();
        }
    }

    /** Sends what is queued and polls for one answer, for a while. Returns false when the SendThread must be told. */
    private boolean callersTurn(Packet awaited) {
        if (!turn.tryLock()) {
            return false;
        }
        boolean over = true;
        boolean armed = false;
        try {
            if (open) {
                if (asleep) {
                    client.disarm();
                }
                pollFor(awaited);
                armed = asleep;
                if (armed) {
                    client.arm();
                    work();
                }
                over = failure != null || ended;
            }
        } catch (IOException e) {
            failure = e;
        } finally {
            turn.unlock();
        }
        return !over && outgoingQueue.isEmpty() && (armed || !asleep);
    }

    private void pollFor(Packet awaited) throws IOException {
        long startNs = System.nanoTime();
        long limitNs = budget.ns();
        long forNs = 0;
        for (int spins = 0; !awaited.finished && failure == null && !ended && forNs < limitNs; spins++) {
            if (work()) {
                continue;
            }
            if ((spins & SPINS_PER_LOOK - 1) == 0) {
                forNs = System.nanoTime() - startNs;
            }
            pause(forNs);
        }
        budget.note(awaited.finished);
    }

    /** Waits for a moment; where processors are few, the server may be waiting for this one. */
    private static void pause(long forNs) {
        if (forNs < SPIN_NS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    @Override
    void testableCloseSocket() {
        MessageSession now = session;
        if (now != null) {
            now.close();
        }
    }

    // ---- the SendThread, and whoever has the turn

    @Override
    void doTransport(int waitTimeOut, Queue<Packet> pendingQueue, ClientCnxn clientCnxn) throws IOException {
        if (client == null) {
            throw failure != null ? failure : new IOException("not connected");
        }
        long startNs = System.nanoTime();
        long deadlineNs = startNs + waitTimeOut * 1_000_000L;
        boolean done = false;
        while (!done) {
            long nowNs = System.nanoTime();
            boolean late = nowNs - deadlineNs >= 0;
            if (turn.tryLock()) {
                try {
                    pending = pendingQueue;
                    cnxn = clientCnxn;
                    done = work() || ended || failure != null || late;
                    if (!done && nowNs - startNs > POLL_NS) {
                        asleep = true;
                        client.arm();
                        done = work() || nudged;
                    }
                } finally {
                    turn.unlock();
                }
            } else {
                asleep = true; // a caller has the turn: it arms, or wakes this thread, when it sees that
                done = late || !turn.isLocked();
            }
            if (asleep) {
                sleep(done ? 0 : deadlineNs - nowNs);
                done = true;
            } else {
                pause(nowNs - startNs);
            }
        }
        finishTransport();
    }

    private void sleep(long ns) throws IOException {
        if (ns > 0) {
            client.await(ns);
        }
        turn.lock();
        try {
            asleep = false;
            nudged = false;
            client.disarm();
            work();
        } finally {
            turn.unlock();
        }
    }

    private void finishTransport() throws IOException {
        turn.lock();
        try {
            updateNow();
            if (failure != null) {
                throw failure;
            }
            if (ended) {
                throw new EndOfStreamException("Unable to read additional data from server sessionid 0x"
                        + Long.toHexString(sessionId) + ", likely server has closed the jvRPC session");
            }
        } finally {
            turn.unlock();
        }
    }

    /** Sends what may go and takes what came; true when there was something. Whoever has the turn. */
    private boolean work() throws IOException {
        return sendAll() | client.poll() > 0;
    }

    private boolean sendAll() throws IOException {
        boolean sent = false;
        for (Packet p = sendable(); p != null; p = sendable()) {
            if (p.bb == null) {
                if (isRequest(p)) {
                    p.requestHeader.setXid(cnxn.getXid());
                }
                p.createBB();
            }
            outgoingQueue.removeFirstOccurrence(p);
            if (isRequest(p)) {
                synchronized (pending) {
                    pending.add(p);
                }
            }
            transmit(p);
            connectSent = true;
            sent = true;
        }
        if (sent) {
            updateNow();
            updateLastSend();
        }
        return sent;
    }

    private static boolean isRequest(Packet p) {
        return p.requestHeader != null
                && p.requestHeader.getType() != OpCode.ping
                && p.requestHeader.getType() != OpCode.auth;
    }

    private void transmit(Packet p) throws IOException {
        sentCount.getAndIncrement();
        try {
            client.send(p.bb.position(LENGTH_BYTES)); // a session that is over is found by the next poll
        } catch (IllegalArgumentException e) {
            throw new IOException("Packet len " + p.bb.remaining() + " is out of range! " + e.getMessage(), e);
        }
    }

    /** Returns the packet that goes next: before the answer to the connect request that request alone. */
    private Packet sendable() {
        if (outgoingQueue.isEmpty() || session.queuedBytes() > MAX_QUEUED) {
            return null;
        }
        if (!initialized) {
            return connectSent ? null : findConnectRequest(outgoingQueue);
        }
        return sendThread.tunnelAuthInProgress() ? findConnectRequest(outgoingQueue) : outgoingQueue.peek();
    }

    private static Packet findConnectRequest(LinkedBlockingDeque<Packet> queue) {
        for (Iterator<Packet> packets = queue.iterator(); packets.hasNext();) {
            Packet p = packets.next();
            if (p.requestHeader == null) {
                return p;
            }
        }
        return null;
    }

    @Override
    void sendPacket(Packet p) throws IOException {
        turn.lock();
        try {
            if (client == null) {
                throw new IOException("not connected");
            }
            p.createBB();
            transmit(p);
            updateLastSend();
        } finally {
            turn.unlock();
        }
    }

    // ---- what comes; called inside of poll

    @Override
    public void frame(MessageSession from, ByteBuffer frame) {
        if (failure != null) {
            return;
        }
        try {
            take(frame);
        } catch (IOException e) {
            failure = e;
        }
    }

    private void take(ByteBuffer frame) throws IOException {
        recvCount.getAndIncrement();
        lenBuffer.clear().putInt(frame.remaining()).flip();
        incomingBuffer = lenBuffer;
        readLength(); // checks the limit, makes the buffer
        incomingBuffer.put(frame).flip();
        updateNow();
        if (initialized) {
            sendThread.readResponse(incomingBuffer);
        } else {
            readConnectResult();
            initialized = true;
            open = true;
        }
        updateLastHeard();
    }

    @Override
    public void closed(MessageSession closed, Throwable cause) {
        ended = true;
        if (cause != null) {
            LOG.info("jvRPC session to {} broke: {}", remote, cause.getMessage());
        }
    }
}
