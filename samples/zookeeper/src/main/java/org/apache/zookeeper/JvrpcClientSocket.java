package org.apache.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.ClientCnxn.EndOfStreamException;
import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's client over a jvRPC message session. A frame is a ZooKeeper packet without its length.
 *
 * <p>Whoever has a packet sends it. Who polls has the turn: a thread that makes a synchronous call takes it, when it is
 * free, and polls for its own answer for a while, so that no other thread runs for the call. ZooKeeper's SendThread has
 * the rest: answers that nobody polls for, watches, pings, timeouts.
 */
final class JvrpcClientSocket extends ClientCnxnSocket implements MessageHandler {

    private static final Logger LOG = LoggerFactory.getLogger(JvrpcClientSocket.class);
    private static final int SPINS_PER_LOOK = 16;
    /** A caller polls for longer: where the server slept, the answer will be there soon. */
    private static final int WAKE_UPS = 4;
    private static final long MAX_QUEUED = 1 << 20;
    private static final int LENGTH_BYTES = 4;
    private static final long CLOSE_NS = 2_000_000_000L;
    private static final long CLOSE_LOOK_NS = 50_000;

    private final String template;
    private final long mostSpinNs = JvrpcAddress.spin().toNanos();
    private final ReentrantLock turn = new ReentrantLock();
    /** True while a caller has the turn or is about to: the SendThread keeps out of its way. */
    private final AtomicBoolean callerAtWork = new AtomicBoolean();
    private final PollBudget reads = new PollBudget(WAKE_UPS * mostSpinNs);
    private final PollBudget others = new PollBudget(WAKE_UPS * mostSpinNs);
    private final PollBudget own = new PollBudget(mostSpinNs);
    /** Held while packets go from ZooKeeper's queue to its other queue and to the server: in one order. */
    private final ReentrantLock sending = new ReentrantLock();
    private InetSocketAddress remote;
    private boolean attempted;
    private boolean connectSent;
    /** What asked the server to close the session, or null. */
    private volatile Packet closing;
    private volatile boolean ended;
    private boolean endSeen;
    private volatile IOException failure;
    private Queue<Packet> pending;
    private ClientCnxn cnxn;
    private volatile MessageClient client;
    private volatile MessageSession session;
    /** True when callers may take the turn: the ZooKeeper session is there. */
    private volatile boolean open;
    private volatile boolean asleep;
    private volatile boolean nudged;

    JvrpcClientSocket(ZKClientConfig config) throws IOException {
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
        initialized = false;
        connectSent = false;
        closing = null;
        ended = false;
        endSeen = false;
        failure = null;
        attempted = true;
        try {
            client = ServerSearch.connect(template, address, this);
        } catch (IOException e) {
            failure = e;
            return;
        }
        remote = address;
        session = client.session();
        updateNow();
        updateLastSendAndHeard();
        sendThread.primeConnection();
    }

    /** Returns why the last {@link #connect} did not succeed, or null. */
    IOException refusal() {
        return client == null ? failure : null;
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
        sending.lock();
        try {
            attempted = false;
            open = false;
            if (client != null) {
                session = null;
                client.close();
                client = null;
            }
        } finally {
            sending.unlock();
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
        if (!open || Thread.currentThread() == sendThread || turn.isHeldByCurrentThread()) {
            nudge();
            return;
        }
        Packet last = outgoingQueue.peekLast();
        try {
            sendAll();
        } catch (IOException e) {
            failure = e;
        }
        if (failure != null || last != null && last.cb == null && !callersTurn(last)) {
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

    /** Polls for one answer, for a while. Returns false when the SendThread must be told that there is work for it. */
    private boolean callersTurn(Packet awaited) {
        PollBudget budget = PollBudget.isRead(awaited) ? reads : others;
        long limitNs = budget.ns();
        if (limitNs == 0 || !callerAtWork.compareAndSet(false, true)) {
            return true; // the SendThread sleeps armed, or another has the turn and arms
        }
        turn.lock();
        try {
            try {
                if (open) {
                    if (asleep) {
                        client.disarm();
                    }
                    budget.note(pollFor(awaited, limitNs));
                }
            } finally {
                callerAtWork.set(false); // before the look at who sleeps, as the SendThread looks after it says so
            }
            if (open && asleep) {
                client.arm();
                work();
            }
        } catch (IOException e) {
            failure = e;
        } finally {
            turn.unlock();
        }
        return failure == null && !ended;
    }

    /** Returns how long it took, or -1 when it did not come. */
    private long pollFor(Packet awaited, long limitNs) throws IOException {
        long startNs = System.nanoTime();
        for (int spins = 1; !awaited.finished && failure == null && !ended; spins++) {
            if (!work()) {
                if ((spins & SPINS_PER_LOOK - 1) == 0 && System.nanoTime() - startNs > limitNs) {
                    return -1;
                }
                Thread.onSpinWait();
            }
        }
        return System.nanoTime() - startNs;
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
        pending = pendingQueue; // before a first packet may go
        cnxn = clientCnxn;
        long startNs = System.nanoTime();
        long deadlineNs = startNs + waitTimeOut * 1_000_000L;
        long spinNs = own.ns();
        boolean done = false;
        while (!done) {
            long nowNs = System.nanoTime();
            boolean late = nowNs - deadlineNs >= 0;
            if (!callerAtWork.get()) {
                done = ownTurn(nowNs - startNs > spinNs) || late;
            } else {
                asleep = true; // the caller arms when it sees that
                done = late || !callerAtWork.get();
            }
            if (asleep) {
                sleep(done ? 0 : deadlineNs - nowNs);
                done = true;
            } else {
                if (done) {
                    own.note(mostSpinNs);
                }
                Thread.onSpinWait();
            }
        }
        finishTransport();
    }

    /** Works, or gets ready to sleep. Returns true when there is no reason to. */
    private boolean ownTurn(boolean sleepy) throws IOException {
        turn.lock();
        try {
            boolean done = work() || ended || failure != null;
            if (!done && sleepy) {
                asleep = true;
                client.arm();
                done = work() || nudged;
            }
            return done;
        } finally {
            turn.unlock();
        }
    }

    private void sleep(long ns) throws IOException {
        if (ns > 0) {
            own.note(-1);
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

    /** The end is told by the call after: ZooKeeper looks between at what the last packets said of a login. */
    private void finishTransport() throws IOException {
        if (endSeen && closing != null && closing.finished) {
            awaitClose();
        }
        turn.lock();
        try {
            updateNow();
            if (failure != null) {
                throw failure;
            }
            if (endSeen) {
                throw new EndOfStreamException("Unable to read additional data from server sessionid 0x"
                        + Long.toHexString(sessionId) + ", likely server has closed the jvRPC session");
            }
            endSeen = ended;
        } finally {
            turn.unlock();
        }
    }

    /**
     * The server's end follows its answer to a request to close at once, maybe before the thread that asked for it has
     * run again and closed the client. Watchers are to hear of the close, and not of a loss.
     */
    private void awaitClose() {
        long startNs = System.nanoTime();
        while (sendThread.getZkState().isAlive() && System.nanoTime() - startNs < CLOSE_NS) {
            LockSupport.parkNanos(CLOSE_LOOK_NS);
        }
    }

    /** Sends what may go and takes what came; true when there was something. Whoever has the turn. */
    private boolean work() throws IOException {
        boolean sent = !outgoingQueue.isEmpty() && sendAll();
        return client.poll() > 0 || sent;
    }

    private boolean sendAll() throws IOException {
        boolean sent = false;
        sending.lock();
        try {
            for (Packet p = sendable(); p != null; p = sendable()) {
                sendOne(p);
                sent = true;
            }
        } finally {
            sending.unlock();
        }
        if (sent) {
            updateNow();
            updateLastSend();
        }
        return sent;
    }

    private void sendOne(Packet p) throws IOException {
        if (p.bb == null) {
            if (Packets.isRequest(p)) {
                p.requestHeader.setXid(cnxn.getXid());
            }
            p.createBB();
        }
        outgoingQueue.removeFirstOccurrence(p);
        if (Packets.isRequest(p)) {
            synchronized (pending) {
                pending.add(p);
            }
        }
        connectSent = true;
        closing = Packets.isClose(p) ? p : closing;
        transmit(p);
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
        if (outgoingQueue.isEmpty() || session == null || session.queuedBytes() > MAX_QUEUED) {
            return null;
        }
        if (!initialized) {
            return connectSent ? null : Packets.connectRequest(outgoingQueue);
        }
        return sendThread.tunnelAuthInProgress() ? Packets.connectRequest(outgoingQueue) : outgoingQueue.peek();
    }

    @Override
    void sendPacket(Packet p) throws IOException {
        sending.lock();
        try {
            if (client == null) {
                throw new IOException("not connected");
            }
            p.createBB();
            transmit(p);
            updateLastSend();
        } finally {
            sending.unlock();
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
