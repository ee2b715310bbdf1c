package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;

/** A QP over rxe's rings. One thread at a time posts; its control path is the kernel's. */
final class RxeQueuePair implements RdmaQueuePair {

    private final RxeDriver driver;
    private final RdmaDomain domain;
    private final QueuePairAttributes attributes;
    private final int id;
    private final int number;
    private final QpStates states;
    private final RxeSendQueue sends;
    private final RxeReceiveQueue receives;
    private final RxeSharedReceiveQueue shared;
    private volatile boolean maySend;
    private volatile boolean mayReceive;
    private volatile boolean failed;
    private volatile boolean closed;
    private long culprit = -1;
    private boolean lostResult;

    /** @param receives null with an SRQ */
    RxeQueuePair(RxeDriver driver, RdmaDomain domain, QueuePairAttributes attributes, int id, QpStates states,
            RxeSendQueue sends, RxeReceiveQueue receives) {
        this.driver = driver;
        this.domain = domain;
        this.attributes = attributes;
        this.id = id;
        this.number = states.number();
        this.states = states;
        this.sends = sends;
        this.receives = receives;
        this.shared = (RxeSharedReceiveQueue) attributes.sharedReceive();
    }

    /** Returns the least power of two that is not less. */
    static int roundUp(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairState state() {
        QueuePairState state = driver.isClosed() ? QueuePairState.ERR : states.state();
        if (state == QueuePairState.ERR && !failed) {
            failed();
        }
        return state;
    }

    @Override
    public QpStates states() {
        return states;
    }

    @Override
    public void init() {
        open("modify_qp to INIT");
        states.init();
        mayReceive = true;
    }

    private void open(String operation) {
        if (closed) {
            throw new VerbsException(operation, "qp number=" + number + " state=closed");
        }
    }

    @Override
    public byte[] endpoint() {
        return states.endpoint().encode();
    }

    @Override
    public void connect(byte[] remoteEndpoint) {
        open("modify_qp to RTR");
        states.connect(RdmaEndpoint.decode(remoteEndpoint));
        maySend = true;
    }

    @Override
    public void ready() {
        open("modify_qp to RTS");
        states.ready();
        maySend = true;
    }

    @Override
    public void stateChanged() {
        maySend = !closed;
        mayReceive = !closed;
        if (states.state() == QueuePairState.ERR) {
            failed();
        }
    }

    @Override
    public void error() {
        states.error();
        maySend = !closed; // what is posted from now on is flushed
        failed();
    }

    /** Moves it to ERR, because its CQ overran or its device is gone. */
    void fail() {
        try {
            if (!closed && states.state() != QueuePairState.RESET) {
                error();
            }
        } catch (VerbsException e) {
            failed(); // the device is gone
        }
    }

    /** Returns true when the SGEs of a receive that failed are memory of the domain. */
    boolean mayScatter(int sequence) {
        return receives.mayTouch(sequence, domain.keys());
    }

    /** Moves it to ERR, as a READ or atomic ended without its result. The thread that polls sends. */
    void lostResult() {
        lostResult = true;
        fail();
    }

    /** Returns true when all sends from now on are flushed, also those that the kernel had done. That thread. */
    boolean hasLostResult() {
        return lostResult;
    }

    /** Moves it to ERR when the kernel waits for an acknowledgement that it threw away. The thread that polls. */
    private void unstick() {
        long stuck = sends.stuck();
        if (stuck >= 0 && stuck == culprit) {
            fail();
        }
        culprit = stuck;
    }

    /** Returns true for the WQE that failed while an older one waited: by now it is flushed with the others. */
    boolean isCulprit(int sequence) {
        return culprit == (sequence & 0xffffffffL);
    }

    /** Asks the kernel for the state of a QP that was connected, which notes that it is in ERR. Any thread. */
    void look() {
        if (maySend && !failed) {
            try {
                if (state() == QueuePairState.RTS) {
                    unstick();
                }
            } catch (VerbsException e) {
                failed(); // the device is gone
            }
        }
    }

    /** Notes that it is in ERR. Any thread. */
    void failed() {
        if (!failed) {
            failed = true;
            states.failed();
        }
        if (receives != null) {
            ((RxeCompletionQueue) attributes.receiveCq()).flushReceives(this);
        }
    }

    @Override
    public PostSend prepareSend(SendRequest... requests) {
        return new RxePostSend(this, sends, domain.keys(), requests);
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        if (receives == null) {
            throw new VerbsException("post_recv", "qp number=" + number
                    + " takes its receives from a shared queue, srq number=" + shared.number());
        }
        return new RxePostReceive(this, receives, requests);
    }

    @Override
    public void wakePeer() {
        // The peer's kernel wakes it.
    }

    /** Returns true when the SGEs of a send that failed are memory of the domain: then it failed for other reasons. */
    boolean mayTouch(int sequence) {
        return sends.mayTouch(sequence, domain.keys());
    }

    QueuePairAttributes attributes() {
        return attributes;
    }

    /** Returns what names it in the tags of its WQEs. */
    int id() {
        return id;
    }

    RxeSendQueue sends() {
        return sends;
    }

    /** Returns the receive queue of its own, or null. */
    RxeReceiveQueue receives() {
        return receives;
    }

    /** Returns the SRQ, or null. */
    RxeSharedReceiveQueue shared() {
        return shared;
    }

    boolean isDatagram() {
        return attributes.isDatagram();
    }

    boolean isClosed() {
        return closed;
    }

    boolean maySend() {
        return maySend;
    }

    boolean mayReceive() {
        return mayReceive;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Returns the state, for messages. */
    String describeState() {
        return closed ? "closed" : state().name();
    }

    RxeDriver driver() {
        return driver;
    }

    /** Refuses posts from now on; the device was closed. */
    void shut() {
        closed = true;
        maySend = false;
        mayReceive = false;
    }

    @Override
    public void close() {
        shut();
        if (driver.forget(this)) {
            if (!driver.isClosed()) {
                states.destroy();
            }
            ((RxeCompletionQueue) attributes.sendCq()).detach(this);
            ((RxeCompletionQueue) attributes.receiveCq()).detach(this);
            ((RxeCompletionQueue) attributes.sendCq()).release();
            ((RxeCompletionQueue) attributes.receiveCq()).release();
            if (shared != null) {
                shared.detach();
            }
            Mapping.drop(sends.memory());
            domain.abandon();
        }
    }
}
