package org.jvrpc.router.command;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.home.Contact;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.FrameException;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.RouteNote;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.softrnic.router.wire.SrqNote;

/**
 * Executes the commands of a device that is attached. What a frame says is in its range when it comes here; whose it
 * is, the session knows, for numbers mean objects of its device alone. The sessions' thread.
 */
final class Commands {

    private static final int KIND_QP = 0;
    private static final int KIND_CQ = 1;
    private static final int KIND_SRQ = 2;
    private static final int KIND_ROUTE = 3;

    private final Sessions sessions;
    private final ControlSession session;
    private final Membership membership;
    private final EngineDevice device;
    private final Set<Integer> qps = new HashSet<>();

    Commands(Sessions sessions, ControlSession session) {
        this.sessions = sessions;
        this.session = session;
        this.membership = session.membership();
        this.device = session.device();
    }

    boolean has(int qp) {
        return qps.contains(qp);
    }

    List<Integer> qps() {
        return List.copyOf(qps);
    }

    /** Executes a command; false when its answer was said or comes later. */
    boolean execute(ControlFrame frame) throws FrameException {
        int object = frame.object();
        switch (frame.command()) {
            case SLAB -> {
                SlabNote note = SlabNote.decode(frame);
                return session.later(frame, membership.open(note), slab -> slab(frame, note, slab), slab -> { });
            }
            case DROP_SLAB -> {
                device.drop(object);
                membership.drop(object);
            }
            case REGISTER -> {
                return numbered(frame, register(RegionNote.decode(frame)));
            }
            case DEREGISTER -> {
                device.deregister(object);
                membership.give(QuotaKind.REGIONS, 1);
            }
            case CREATE_CQ -> {
                CqNote note = CqNote.decode(frame);
                counted(QuotaKind.CQS, () -> device.create(note));
            }
            case CREATE_SRQ -> {
                SrqNote note = SrqNote.decode(frame);
                counted(QuotaKind.QPS, () -> device.create(note));
            }
            case CREATE_QP -> {
                QpNote note = QpNote.decode(frame);
                counted(QuotaKind.QPS, () -> device.create(note));
                qps.add(note.number());
            }
            case CHAINS -> {
                return chains(frame);
            }
            case ROUTE -> {
                return route(frame, RouteNote.decode(frame));
            }
            case DESTROY -> destroy(frame);
            case READY -> device.ready(own(object));
            case ERROR -> {
                sessions.meetings().gone(new End(session, own(object)));
                device.fail(object);
            }
            case LISTEN, UNLISTEN, CONNECT, ACCEPT, REJECT -> {
                return meet(frame);
            }
            case WAKE -> {
                device.look();
                return false;
            }
            case LEAVE -> {
                session.end("left");
                return false;
            }
            default -> throw new FrameException("command=" + frame.command() + " is none of a device's");
        }
        return true;
    }

    /** Answers with a number, which is the answer's object. */
    private boolean numbered(ControlFrame frame, int number) {
        session.say(ControlFrame.of(Command.DONE, frame.id(), number));
        return false;
    }

    private boolean route(ControlFrame frame, RouteNote note) {
        RemoteRoutes away = sessions.remotes().routes();
        return away.isAway(note)
                ? session.later(frame, away.open(session, note), index -> numbered(frame, index), index -> { })
                : numbered(frame, sessions.routes().open(session, note));
    }

    private int register(RegionNote note) {
        int[] known = new int[1];
        counted(QuotaKind.REGIONS, () -> known[0] = device.register(note));
        return known[0];
    }

    /** Does something with chains, which count as a QP; false when its answer was said. */
    private boolean chains(ControlFrame frame) throws FrameException {
        ChainsNote note = ChainsNote.decode(frame);
        if (note.operation() == ChainsNote.OPEN) {
            counted(QuotaKind.QPS, () -> device.chains(note));
            return true;
        }
        ChainsNote.State state = device.chains(note);
        if (state == null) {
            membership.give(QuotaKind.QPS, 1); // it is closed
            return true;
        }
        session.say(state.frame(frame.id(), note.pd()));
        return false;
    }

    private boolean meet(ControlFrame frame) throws FrameException {
        int object = frame.object();
        switch (frame.command()) {
            case LISTEN -> sessions.meetings().listen(session, ListenNote.decode(frame));
            case UNLISTEN -> sessions.meetings().unlisten(session, object);
            case CONNECT -> {
                return connect(frame, ConnectNote.decode(frame));
            }
            case ACCEPT -> {
                End end = new End(session, own(object));
                return sessions.meetings().accept(end, Offer.decode(frame, Command.ACCEPT), frame.id());
            }
            default -> {
                return reject(frame, Offer.decode(frame, Command.REJECT));
            }
        }
        return true;
    }

    /** Does something that takes one of a quota. */
    private void counted(QuotaKind kind, Runnable work) {
        membership.take(kind, 1);
        try {
            work.run();
        } catch (RuntimeException e) {
            membership.give(kind, 1);
            throw e;
        }
    }

    private void slab(ControlFrame frame, SlabNote note, Slab slab) {
        try {
            device.add(slab);
        } catch (RuntimeException e) {
            membership.drop(note.segment());
            throw e;
        }
        session.say(ControlFrame.of(Command.DONE, frame.id(), frame.object()));
    }

    /** Returns the number of a QP of this device. @throws RefusedException when it has none of this number */
    private int own(int qp) {
        if (!qps.contains(qp)) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + qp + " is none of the device's");
        }
        return qp;
    }

    private void destroy(ControlFrame frame) throws FrameException {
        int object = frame.object();
        switch (frame.flags()) {
            case KIND_QP -> {
                End end = new End(session, own(object));
                sessions.meetings().gone(end);
                device.destroyQp(object);
                qps.remove(object);
                membership.give(QuotaKind.QPS, 1);
                sessions.joins().gone(end);
                sessions.remotes().joins().gone(end);
            }
            case KIND_CQ -> {
                device.destroyCq(object);
                membership.give(QuotaKind.CQS, 1);
            }
            case KIND_SRQ -> {
                device.destroySrq(object);
                membership.give(QuotaKind.QPS, 1);
            }
            case KIND_ROUTE -> sessions.routes().close(session, object);
            default -> throw new FrameException("command=DESTROY kind=" + frame.flags());
        }
    }

    private boolean connect(ControlFrame frame, ConnectNote note) {
        End own = new End(session, own(frame.object()));
        if ((frame.flags() & ConnectNote.BY_ENDPOINT) == 0) {
            sessions.meetings().connect(sessions, own, frame.id(), note);
            return false;
        }
        ControlSession to = sessions.device(note.device(), note.incarnation());
        Contact contact = new Contact(session.tenant(), session.home(), to.tenant(), to.home(), 0);
        sessions.policy().check(session.tenant(), to.tenant(), 0, sessions.nowNs());
        if (!to.has(note.qp())) {
            throw new RefusedException(Refusal.NOBODY_LISTENS, "device=" + note.device() + " has no qp=" + note.qp());
        }
        sessions.joins().join(own, new End(to, note.qp()), contact, false);
        return true;
    }

    private boolean reject(ControlFrame frame, Offer answer) {
        boolean dropped = (frame.flags() & Offer.DROPPED) != 0;
        try {
            sessions.meetings().reject(session, answer, dropped);
        } catch (RefusedException e) {
            if (!dropped) {
                throw e;
            }
        }
        return !dropped;
    }
}
