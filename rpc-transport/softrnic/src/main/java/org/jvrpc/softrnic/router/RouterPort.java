package org.jvrpc.softrnic.router;

import java.nio.ByteBuffer;
import java.util.Set;
import org.jvrpc.mlx5.Mlx5CompletionQueue;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.Welcome;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/**
 * The port whose work a router does: it alone writes to the QP's CQs and receives, so that nothing of it is under way
 * once it has said that the QP is destroyed. Any thread.
 */
public final class RouterPort implements Port {

    private final RouterHost host;
    private final PortQueuePair qp;
    private final ByteBuffer memory;
    private final int context;
    private final RouterEngine engine;
    private volatile RouterConnection connection;
    private volatile boolean opened;
    /** The router has the QP in ERR: it was told so, or said so itself. Guarded by the engine's monitor. */
    private boolean failedThere;
    private boolean released = true;

    RouterPort(RouterHost host, PortQueuePair qp) {
        this.host = host;
        this.qp = qp;
        this.memory = qp.sends().memory();
        this.context = qp.context();
        this.engine = new RouterEngine(host, qp, submits(host, qp) ? qp.behind() : 0);
    }

    private static boolean submits(RouterHost host, PortQueuePair qp) {
        return !host.isSlow() && !qp.attributes().isDatagram() && !qp.attributes().isCrossChannel();
    }

    /** Returns the port of a QP that is to be connected. @throws VerbsException when that cannot be */
    static RouterPort of(String operation, QueuePair qp) {
        if (!(qp instanceof Mlx5QueuePair driver && driver.control() instanceof PortQueuePair control
                && control.port() instanceof RouterPort port)) {
            throw new VerbsException(operation, "the QP is of another device: " + qp);
        }
        if (control.attributes().isDatagram()) {
            throw new VerbsException(operation, "a datagram QP has no peer to connect to: qp number=" + qp.number());
        }
        if (control.state() != QueuePairState.INIT) {
            throw new VerbsException(operation, "qp number=" + qp.number() + " state=" + control.state()
                    + " expected=" + QueuePairState.INIT);
        }
        return port;
    }

    PortQueuePair qp() {
        return qp;
    }

    RouterHost host() {
        return host;
    }

    int number() {
        return qp.number();
    }

    long address() {
        return qp.address();
    }

    long srq() {
        return QpContext.srq(memory, context);
    }

    QpNote note(int srq) {
        QueuePairAttributes attributes = qp.attributes();
        int flags = (attributes.isDatagram() ? QpNote.DATAGRAM : 0)
                | (attributes.isCrossChannel() ? QpNote.CROSS_CHANNEL : 0) | (attributes.lazyWake() ? QpNote.LAZY : 0)
                | (attributes.isManagedSend() ? QpNote.MANAGED_SEND : 0)
                | (attributes.isManagedReceive() ? QpNote.MANAGED_RECEIVE : 0)
                | (attributes.isChecked() ? QpNote.CHECKED : 0);
        return new QpNote(number(), qp.pd(), address(), QpContext.rqEntries(memory, context),
                QpContext.rqStride(memory, context), qp.sends().entries(), qp.sends().ring() - context,
                number(qp.sendCq()), number(qp.receiveCq()), srq, flags,
                attributes.isDatagram() ? attributes.qkey() : 0, attributes.rnrRetry(),
                attributes.minRnrTimerNs(), engine.submit());
    }

    private static int number(PortCompletionQueue cq) {
        return CqContext.cqn(cq.slab().window(cq.address()), Slab.index(cq.address()));
    }

    @Override
    public SendEngine engine() {
        return engine;
    }

    @Override
    public byte[] endpoint() {
        Welcome welcome = host.welcome();
        return new RouterEndpoint(welcome.address(), welcome.device(), number(), welcome.incarnation()).encode();
    }

    @Override
    public void open() {
        host.open(this);
        opened = true;
        released = false;
    }

    @Override
    public void connect(byte[] endpoint) {
        if (qp.attributes().isDatagram()) {
            throw new VerbsException("modify_qp", "a datagram QP has no peer");
        }
        RouterEndpoint to = RouterEndpoint.decode("modify_qp", endpoint);
        ConnectNote note = new ConnectNote(to.address(), 0, to.device(), to.qp(), to.incarnation(), RouterHost.NONE);
        host.ask("modify_qp", id -> note.frame(id, number(), ConnectNote.BY_ENDPOINT));
        established();
    }

    /** The router has the QP in RTS, and says so in the context, too, or soon will. */
    void established() {
        QpContext.advance(memory, context, QueuePairState.INIT, QueuePairState.RTR);
        if (!QpContext.advance(memory, context, QueuePairState.RTR, QueuePairState.RTS)
                && qp.state() != QueuePairState.RTS) {
            throw new VerbsException("modify_qp", "qp number=" + number() + " state=" + qp.state());
        }
        qp.driver().stateChanged();
    }

    @Override
    public void makeReady() {
        host.ask("modify_qp", id -> ControlFrame.of(Command.READY, id, number()));
        established();
    }

    void watchedBy(RouterConnection watching) {
        connection = watching;
    }

    // What happens at the router. The socket reader's thread, which takes no lock of the QP's.

    /** The router moved the QP to ERR. */
    void failedAfar() {
        QpContext.fail(memory, context);
        wake();
    }

    /** The peer disconnected or is gone, and the QP is in ERR. */
    void disconnectedAfar() {
        RouterConnection watching = connection;
        QpContext.fail(memory, context);
        if (watching != null) {
            watching.ended();
        }
        wake();
    }

    void routerGone() {
        engine.routerGone();
        qp.sendersGone();
        disconnectedAfar();
    }

    private void wake() {
        qp.sendCq().alert();
        qp.sendCq().wake();
        qp.receiveCq().alert();
        qp.receiveCq().wake();
    }

    @Override
    public void flush() {
        if (opened && !failedThere) {
            failedThere = true;
            host.tryAsk("modify_qp", id -> ControlFrame.of(Command.ERROR, id, number()));
        }
        if (engine.isGone()) {
            ((Mlx5CompletionQueue) qp.attributes().sendCq()).flushSends(qp.driver());
        }
    }


    @Override
    public void recover() {
        // the router is no sender that dies in the middle of a datagram and leaves others waiting
    }

    @Override
    public void disconnect() {
        if (opened) {
            released = host.tryAsk("destroy_qp",
                    id -> new ControlFrame(Command.DESTROY, RouterHost.KIND_QP, id, number(), RouterHost.NONE));
            host.forget(this);
        }
    }

    @Override
    public void close(Arena.Block block, Set<Quarantine> known) {
        if (released) {
            block.free();
        } else {
            block.abandon(); // a router that does not answer may write to it
        }
    }
}
