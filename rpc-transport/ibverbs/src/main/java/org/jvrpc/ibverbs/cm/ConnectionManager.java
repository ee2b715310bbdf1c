package org.jvrpc.ibverbs.cm;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** Listeners and connections of one device. Any thread. */
public final class ConnectionManager implements AutoCloseable {

    private final RdmaContext context;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private final Runnable removed = this::removed;
    private volatile boolean lost;

    /** Makes one; loads nothing yet. */
    public ConnectionManager(RdmaContext context) {
        this.context = context;
    }

    /** Returns the most private data of a request, in bytes. */
    public static int maxRequestBytes() {
        return PrivateBytes.MAX_REQUEST;
    }

    /** Returns the most private data of an answer, in bytes. */
    public static int maxAnswerBytes() {
        return PrivateBytes.MAX_ANSWER;
    }

    /** Returns the device's name. */
    String device() {
        return context.name();
    }

    /** Begins to watch for the device's removal, by an address of it. */
    public void watch(InetAddress host) {
        RemovalWatch.add(context.name(), host, removed);
    }

    /** Returns true when the device was removed. */
    public boolean isLost() {
        return lost;
    }

    /** Returns what is wrong with the device's port and what helps, or null. */
    public String trouble() {
        return RxeLink.trouble(context.name(), context.port().number());
    }

    /** Notes that the device is removed. Listeners and connections hear of it by events of their own. */
    void removed() {
        lost = true;
    }

    /** Returns the address of the device's port. */
    Gid gid() {
        return context.port().gid();
    }

    void keep(AutoCloseable child) {
        open.add(child);
    }

    void forget(AutoCloseable child) {
        open.remove(child);
    }

    /** Returns the channel as one of these devices. */
    RdmaEventChannel own(EventChannel channel) {
        if (channel instanceof RdmaEventChannel own) {
            return own;
        }
        throw new VerbsException("connect", "the event channel is of another device: " + channel);
    }

    /** Returns the QP as one of this device. */
    RdmaQueuePair own(QueuePair qp) {
        if (qp instanceof RdmaQueuePair own && own.states().context() == context) {
            return own;
        }
        throw new VerbsException("connect", "the QP is of another device: " + qp);
    }

    void expectInit(RdmaQueuePair qp) {
        QueuePairState state = qp.states().state();
        if (state != QueuePairState.INIT || qp.states().attributes().isDatagram()) {
            throw new VerbsException("connect", "qp number=" + qp.number() + " state=" + state + " expected="
                    + QueuePairState.INIT + ", of the connected service");
        }
    }

    /** See {@link org.jvrpc.verbs.Device#listen}. */
    public Listener listen(Remote local, EventChannel channel) {
        return new CmListener(this, local, own(channel));
    }

    /** See {@link org.jvrpc.verbs.Device#connect}. */
    public Connection connect(Remote remote, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        RdmaQueuePair own = own(qp);
        byte[] framed = PrivateBytes.wrap(privateData, PrivateBytes.MAX_REQUEST);
        RdmaEventChannel target = own(channel);
        expectInit(own);
        try (RdmaEventChannel attempt = RdmaEventChannel.create(context)) {
            return new ConnectAttempt(this, remote, own, attempt, timeoutNs).run(framed, target);
        } catch (VerbsException e) {
            CmConnection.fail(own);
            throw e instanceof ConnectionException ? e
                    : new ConnectionException(Reason.LOCAL, remote.text() + ": " + e.getMessage(), e);
        }
    }

    /** Ends all listeners and connections. */
    @Override
    public void close() {
        RemovalWatch.remove(context.name(), removed);
        for (AutoCloseable child : open) {
            try {
                child.close();
            } catch (Exception e) {
                throw new VerbsException("close_device", "device=" + device() + ": " + e.getMessage(), e);
            }
        }
    }
}
