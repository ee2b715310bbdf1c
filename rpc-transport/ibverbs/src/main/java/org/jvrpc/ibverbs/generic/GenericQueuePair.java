package org.jvrpc.ibverbs.generic;

import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.Gate;
import org.jvrpc.ibverbs.core.LibraryHandle;
import org.jvrpc.ibverbs.core.QpChange;
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

/** A QP whose posts are calls of libibverbs. One thread at a time posts. */
final class GenericQueuePair implements RdmaQueuePair {

    private final GenericDriver driver;
    private final RdmaDomain domain;
    private final LibraryHandle handle;
    private final long address;
    private final int serial;
    private final QueuePairAttributes attributes;
    private final QpStates states;
    private final Gate gate = new Gate();
    private final WrIdRing sends;
    /** Null with an SRQ. */
    private final WrIdRing receives;
    /** Null on a device that says what went wrong, or with an SRQ. */
    private final PostedSges posted;
    private final GenericSharedReceiveQueue shared;
    private volatile boolean mayReceive;
    private volatile boolean maySend;
    private volatile boolean failed;

    /**
     * @param address of the {@code struct ibv_qp}
     * @param serial unlike a QP number, not used again soon
     */
    GenericQueuePair(GenericDriver driver, RdmaDomain domain, long address, int serial,
            QueuePairAttributes attributes, int sendDepth, int receiveDepth) {
        this.driver = driver;
        this.domain = domain;
        this.address = address;
        this.handle = new LibraryHandle(domain.context(), address);
        this.serial = serial;
        this.attributes = attributes;
        this.states = new QpStates(domain.context(), handle, attributes);
        this.shared = (GenericSharedReceiveQueue) attributes.sharedReceive();
        this.sends = new WrIdRing(WrId.of(0, serial), sendDepth);
        this.receives = shared != null ? null : new WrIdRing(WrId.of(WrId.RECEIVE, serial), receiveDepth);
        this.posted = shared != null || !driver.isRxe()
                ? null : new PostedSges(GenericDriver.roundUp(receiveDepth), attributes.maxReceiveSge());
    }

    @Override
    public QpStates states() {
        return states;
    }

    @Override
    public void stateChanged() {
        mayReceive = true;
        maySend = true;
    }

    @Override
    public int number() {
        return handle.number();
    }

    @Override
    public QueuePairState state() {
        QueuePairState state = states.state();
        if (state == QueuePairState.ERR && !failed) {
            fail();
        }
        return state;
    }

    private void open(String operation) {
        if (gate.isClosed()) {
            throw new VerbsException(operation, "qp number=" + number() + " is closed");
        }
    }

    @Override
    public void init() {
        open("modify_qp to INIT");
        states.init();
        mayReceive = true;
    }

    @Override
    public byte[] endpoint() {
        return states.endpoint().encode();
    }

    @Override
    public void connect(byte[] remoteEndpoint) {
        open("modify_qp to RTS");
        states.connect(RdmaEndpoint.decode(remoteEndpoint));
        stateChanged();
    }

    @Override
    public void ready() {
        open("modify_qp to RTS");
        states.ready();
        stateChanged();
    }

    @Override
    public void error() {
        states.error();
        stateChanged(); // what is posted from now on is flushed
        failed = true;
    }

    /** Ends with the CQ that lost completions. */
    void overran() {
        if (mayReceive) {
            try {
                error();
            } catch (VerbsException e) {
                lose(); // the device is gone
            }
        }
    }

    /** Notes that a completion with error says that the device has the QP in ERR. */
    void fail() {
        states.failed();
        stateChanged();
        failed = true;
        flush(); // what was posted after the device looked at the receives
    }

    /** Asks the kernel for the state of a QP that was connected, which notes that it is in ERR. Any thread. */
    void look() {
        if (maySend && !failed && !gate.isClosed()) {
            try {
                state();
            } catch (VerbsException e) {
                lose(); // the device is gone
            }
        }
    }

    /** True from when it is known that the QP is in ERR. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * Has the kernel flush what was posted in ERR: receives are put where a software device does not look by itself.
     */
    void flush() {
        if (receives != null && receives.outstanding() > 0 && !gate.isClosed()) {
            try {
                handle.modify(new QpChange(Ibv.QPS_ERR));
            } catch (VerbsException e) {
                lose(); // the device is gone
            }
        }
    }

    /** Has everything outstanding reported flushed without the device, which is gone or lost completions. */
    void lose() {
        states.failed();
        stateChanged();
        failed = true;
        ((GenericCompletionQueue) attributes.sendCq()).lost(this);
        ((GenericCompletionQueue) attributes.receiveCq()).lost(this);
    }

    @Override
    public PostSend prepareSend(SendRequest... requests) {
        return new GenericPostSend(this, requests);
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        if (receives == null) {
            throw new VerbsException("post_recv", "qp number=" + number()
                    + " takes its receives from a shared queue, srq number=" + shared.number());
        }
        return new GenericPostReceive(this, requests);
    }

    @Override
    public void wakePeer() {
        // The kernel and the card see to it with each message.
    }

    RdmaDomain domain() {
        return domain;
    }

    QueuePairAttributes attributes() {
        return attributes;
    }

    long address() {
        return address;
    }

    int serial() {
        return serial;
    }

    Gate gate() {
        return gate;
    }

    WrIdRing sends() {
        return sends;
    }

    WrIdRing receives() {
        return receives;
    }

    /** Returns the SGEs of what is outstanding of {@link #receives()}, or null when nobody asks for them. */
    PostedSges posted() {
        return posted;
    }

    boolean maySend() {
        return maySend;
    }

    boolean mayReceive() {
        return mayReceive;
    }

    boolean isDatagram() {
        return attributes.isDatagram();
    }

    @Override
    public void close() {
        domain.context().whileOpen(this::end);
    }

    private void end() {
        if (gate.close()) {
            states.destroy();
            driver.forget(this);
            ((GenericCompletionQueue) attributes.sendCq()).detach(this);
            ((GenericCompletionQueue) attributes.receiveCq()).detach(this);
            if (shared != null) {
                shared.detach();
            }
            domain.abandon();
        }
    }
}
