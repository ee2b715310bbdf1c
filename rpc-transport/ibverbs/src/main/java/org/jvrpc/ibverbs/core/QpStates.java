package org.jvrpc.ibverbs.core;

import java.util.concurrent.ThreadLocalRandom;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.QpAttr;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/**
 * The states of a QP of a real device: what each transition sets, and which are allowed. Source: ibv_modify_qp(3). Any
 * thread.
 */
public final class QpStates {

    /** Ack time-out code: 4.096 us x 2^14, 67 ms. Source: perftest's default. */
    private static final int TIMEOUT = 14;
    /** Transport retries. 7 would be for ever in rxe. */
    private static final int RETRIES = 6;
    /** When retries end: rxe takes the time-out as it is, cards up to four times as long. */
    public static final long LONGEST_SEND_NS = 4L * (RETRIES + 1) * (4096L << TIMEOUT);
    private static final int REMOTE = Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    private final RdmaContext context;
    private final QpHandle handle;
    private final QueuePairAttributes attributes;
    private final int psn = ThreadLocalRandom.current().nextInt(1 << 24);
    private QueuePairState state = QueuePairState.RESET;

    /** Takes a QP in RESET. */
    public QpStates(RdmaContext context, QpHandle handle, QueuePairAttributes attributes) {
        this.context = context;
        this.handle = handle;
        this.attributes = attributes;
    }

    /** Returns the device that the QP is of. */
    public RdmaContext context() {
        return context;
    }

    /** Returns the QP's number. */
    public int number() {
        return handle.number();
    }

    /** Returns what the QP was made with. */
    public QueuePairAttributes attributes() {
        return attributes;
    }

    /** Returns the PSN that this side begins with. */
    public int psn() {
        return psn;
    }

    /** Returns the state; a QP in RTS is asked for with the kernel, which may have moved it to ERR. */
    public synchronized QueuePairState state() {
        if (state == QueuePairState.RTS && handle.queryState() == Ibv.QPS_ERR) {
            state = QueuePairState.ERR;
        }
        return state;
    }

    private void expect(String operation, QueuePairState expected) {
        QueuePairState now = state();
        if (now != expected) {
            throw new VerbsException(operation, "qp number=" + number() + " state=" + now + " expected=" + expected);
        }
    }

    private void service(String operation, boolean datagram) {
        if (attributes.isDatagram() != datagram) {
            throw new VerbsException(operation, "qp number=" + number() + " state=" + state()
                    + (datagram ? " is not of the datagram service" : " is of the datagram service: it has no peer"));
        }
    }

    /** RESET to INIT. */
    public synchronized void init() {
        expect("modify_qp to INIT", QueuePairState.RESET);
        QpChange change = new QpChange(Ibv.QPS_INIT);
        handle.modify(attributes.isDatagram()
                ? change.datagramPort(context.port().number(), attributes.qkey())
                : change.port(context.port().number(), REMOTE));
        state = QueuePairState.INIT;
    }

    /** Returns where the QP is. @throws VerbsException in RESET */
    public synchronized RdmaEndpoint endpoint() {
        if (state == QueuePairState.RESET) {
            throw new VerbsException("query_qp", "endpoint of a QP in RESET, number=" + number());
        }
        RdmaPort port = context.port();
        return new RdmaEndpoint(port.gid(), port.lid(), port.mtu(), number(), psn);
    }

    /** INIT to RTS, with a peer that was told by other means. On a refusal the QP is in INIT as before. */
    public synchronized void connect(RdmaEndpoint remote) {
        service("modify_qp to RTR", false);
        expect("modify_qp to RTR", QueuePairState.INIT);
        QpChange receive = new QpChange(Ibv.QPS_RTR).path(context.port(), remote, attributes.serviceClass())
                .responder(readsUnderWay(), RnrTimer.code(attributes.minRnrTimerNs()));
        QpChange send = new QpChange(Ibv.QPS_RTS)
                .requester(psn, TIMEOUT, RETRIES, attributes.rnrRetry(), ownReadsUnderWay());
        transit(receive, send);
    }

    /**
     * INIT to RTS by two transitions that a connection manager filled in; RNR timer, retries and time-out are set to
     * those of this side's attributes, READs under way to what both sides can; so is the class of service, unless that
     * is the default one, for which the connection manager's holds.
     */
    public synchronized void connect(QpChange receive, QpChange send) {
        service("modify_qp to RTR", false);
        expect("modify_qp to RTR", QueuePairState.INIT);
        receive.responder(readsUnderWay(), RnrTimer.code(attributes.minRnrTimerNs()));
        if (!attributes.serviceClass().isDefault()) {
            receive.service(attributes.serviceClass());
        }
        int sendPsn = send.attr().getInt(QpAttr.SQ_PSN);
        int reads = Math.min(ownReadsUnderWay(), send.attr().getByte(QpAttr.MAX_RD_ATOMIC));
        send.requester(sendPsn, TIMEOUT, RETRIES, attributes.rnrRetry(), reads);
        transit(receive, send);
    }

    private void transit(QpChange receive, QpChange send) {
        handle.modify(receive);
        try {
            handle.modify(send);
        } catch (VerbsException e) {
            backToInit();
            throw e;
        }
        state = QueuePairState.RTS;
    }

    private void backToInit() {
        handle.modify(new QpChange(Ibv.QPS_RESET));
        handle.modify(new QpChange(Ibv.QPS_INIT).port(context.port().number(), REMOTE));
    }

    /** Returns how many READs and atomics may be under way each way, as far as this side is concerned. */
    public int readsUnderWay() {
        return Math.max(1, Math.min(16, Math.min(context.limits().maxDestRdAtomic(), context.limits().maxRdAtomic())));
    }

    /**
     * Returns how many READs and atomics of this side may be under way. One on rxe: where packets are lost, an atomic
     * may end without its result there, and did so more often with several under way (see ARCHITECTURE).
     */
    private int ownReadsUnderWay() {
        return context.isRxe() ? 1 : readsUnderWay();
    }

    /** INIT to RTS, of a datagram QP. */
    public synchronized void ready() {
        service("modify_qp to RTS", true);
        expect("modify_qp to RTS", QueuePairState.INIT);
        handle.modify(new QpChange(Ibv.QPS_RTR));
        handle.modify(new QpChange(Ibv.QPS_RTS).psn(psn));
        state = QueuePairState.RTS;
    }

    /** Any state but RESET to ERR. */
    public synchronized void error() {
        if (state == QueuePairState.RESET) {
            throw new VerbsException("modify_qp to ERR", "qp number=" + number() + " state=" + state);
        }
        if (state != QueuePairState.ERR) {
            handle.modify(new QpChange(Ibv.QPS_ERR));
            state = QueuePairState.ERR;
        }
    }

    /** Notes that the device moved the QP to ERR, as a completion with error says. */
    public synchronized void failed() {
        state = QueuePairState.ERR;
    }

    /** Destroys the QP; from then on it is in ERR, and nothing is asked of the kernel any more. */
    public synchronized void destroy() {
        state = QueuePairState.ERR;
        handle.destroy();
    }
}
