package org.jvrpc.router.command;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.map.Home;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameException;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.FrameWriter;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.softrnic.router.wire.Welcome;

/**
 * A device of a tenant, as its socket has it: one command after the other. What a frame says is in its range when it
 * comes here; whose it is, this object knows, for numbers mean objects of its device alone. The sessions' thread, but
 * for what the engine tells.
 */
final class ControlSession implements Engine.Told {

    private static final SparseLog LOG = SparseLog.of(ControlSession.class);
    /** Frames that are read at a time before others have their turn. */
    private static final int TURN = 64;
    /** Object of a WAKE: any CQ. */
    private static final int ANY = -1;

    private final Sessions sessions;
    private final Door door;
    private final SocketChannel socket;
    private final SelectionKey key;
    private final FrameReader frames = new FrameReader();
    private final FrameWriter writer;
    private final long startNs;
    private Membership membership;
    private EngineDevice device;
    /** Null until it is attached. */
    private Commands commands;
    private int number;
    private boolean ended;
    /** A command is under way whose answer comes later: no other is read. */
    private boolean busy;
    /** A wake did not go, for the tenant had not read those before. */
    private volatile boolean wakeAll;

    ControlSession(Sessions sessions, Door door, SocketChannel socket, SelectionKey key, long startNs) {
        this.sessions = sessions;
        this.door = door;
        this.socket = socket;
        this.key = key;
        this.startNs = startNs;
        this.writer = new FrameWriter(socket, () -> sessions.wantWrite(key));
    }

    TenantId tenant() {
        return door.tenant();
    }

    Membership membership() {
        return membership;
    }

    EngineDevice device() {
        return device;
    }

    int number() {
        return number;
    }

    /** Returns the first of the tenant's addresses that lives here now. @throws RefusedException when none does */
    VirtualAddress address() {
        return sessions.homes().first(tenant(), membership.addresses());
    }

    /** Returns the home of that; null: nobody knows it. */
    Home home() {
        return sessions.homes().home(address());
    }

    /** Returns true for a QP of this device. */
    boolean has(int qp) {
        return commands != null && commands.has(qp);
    }

    boolean isBusy() {
        return busy;
    }

    boolean isAttached() {
        return membership != null;
    }

    Door door() {
        return door;
    }

    long startNs() {
        return startNs;
    }

    SelectionKey key() {
        return key;
    }

    // The socket.

    /** Reads what has come, within a turn. */
    void ready(long nowNs) {
        guard(() -> {
            if (key.isWritable() && writer.drain()) {
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
                if (wakeAll) {
                    wakeAll = false;
                    wake(ANY);
                }
            }
            for (int i = 0; i < TURN && !ended && !busy && key.isReadable(); i++) {
                ControlFrame frame = frames.read(socket);
                if (frame == null) {
                    return;
                }
                if (frame.command() == Command.RING) {
                    ring(frame);
                } else {
                    answer(frame, () -> isAttached() ? commands.execute(frame) : hello(frame));
                    if (!door.mayGoOn(nowNs) && !ended) {
                        sessions.rest(this);
                        return;
                    }
                }
            }
        });
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Does something; the session ends when that goes wrong. */
    private void guard(Step step) {
        try {
            step.run();
        } catch (FrameException e) {
            refuse(0, 0, new RefusedException(Refusal.BAD_FRAME, e.getMessage()));
            end("frame: " + e.getMessage());
        } catch (EOFException e) {
            end("closed");
        } catch (IOException e) {
            end(e.toString());
        } catch (RuntimeException e) {
            LOG.error(tenant(), "tenant={} device={}", tenant(), number, e);
            end("an error of the router");
        }
    }

    private void ring(ControlFrame frame) throws FrameException {
        if (!has(frame.object()) || frame.body().length != 0) {
            throw new FrameException("command=RING qp=" + frame.object() + " of no QP of the device");
        }
        device.ring(frame.object(), frame.id());
    }

    private interface Execution {
        boolean run() throws FrameException;
    }

    /** Executes a command, and says so unless its answer was said or comes later. */
    private void answer(ControlFrame frame, Execution command) throws FrameException {
        try {
            if (command.run()) {
                say(ControlFrame.of(Command.DONE, frame.id(), frame.object()));
            }
        } catch (RefusedException e) {
            refuse(frame.id(), frame.object(), e);
            if (!isAttached()) {
                end("refused");
            }
        }
    }

    /**
     * Answers a command once something is done that a tenant may delay; until then no other is read.
     *
     * @param then goes on with the result, and answers
     * @param tooLate the session has ended meanwhile
     */
    <T> boolean later(ControlFrame frame, CompletableFuture<T> work, Consumer<T> then, Consumer<T> tooLate) {
        busy = true;
        key.interestOpsAnd(~SelectionKey.OP_READ);
        work.whenComplete((result, failure) -> sessions.post(() -> {
            busy = false;
            if (!ended) {
                guard(() -> answer(frame, () -> {
                    if (failure != null) {
                        throw refusal(failure);
                    }
                    then.accept(result);
                    return false;
                }));
                sessions.goOn(this);
            } else if (failure == null) {
                tooLate.accept(result);
            }
        }));
        return false;
    }

    private static RuntimeException refusal(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    boolean hasEnded() {
        return ended;
    }

    private boolean hello(ControlFrame frame) throws FrameException {
        Hello hello = Hello.decode(frame);
        if (ControlFrame.VERSION < hello.leastVersion() || ControlFrame.VERSION > hello.mostVersion()) {
            throw new RefusedException(Refusal.VERSION, "device speaks versions=" + hello.leastVersion() + " to "
                    + hello.mostVersion() + ", router version=" + ControlFrame.VERSION);
        }
        return later(frame, admit(hello), let -> enter(frame, hello, let), Membership::leave);
    }

    /** Lets a device in whose tenant's addresses live here, or come here by that; fails with the refusal. */
    private CompletableFuture<Membership> admit(Hello hello) {
        return sessions.admission().admit(tenant(), user(), hello).thenCompose(let -> {
            CompletableFuture<Membership> claimed = new CompletableFuture<>();
            try {
                sessions.homes().claim(tenant(), let.addresses(), why -> {
                    if (why == null) {
                        claimed.complete(let);
                    } else {
                        let.leave();
                        claimed.completeExceptionally(why);
                    }
                });
            } catch (RefusedException e) {
                let.leave();
                claimed.completeExceptionally(e);
            }
            return claimed;
        });
    }

    /** Returns the user whose process is at the other end. */
    private UserPrincipal user() {
        try {
            return socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        } catch (IOException | UnsupportedOperationException e) {
            throw new RefusedException(Refusal.WRONG_USER, "the kernel does not say whose process it is: " + e);
        }
    }

    private void enter(ControlFrame frame, Hello hello, Membership let) {
        String address;
        try {
            address = sessions.homes().first(tenant(), let.addresses()).text();
            number = sessions.nextNumber();
            device = sessions.engine().open(tenant(), number, this);
        } catch (RuntimeException e) {
            let.leave();
            throw e;
        }
        membership = let;
        commands = new Commands(sessions, this);
        sessions.attached(this);
        say(sessions.welcome(number, tenant(), address, (hello.flags() & Hello.SLOW) != 0 ? Welcome.SLOW : 0)
                .frame(frame.id()));
    }

    // What is said.

    /** Says something; a tenant that does not read is left. */
    void say(ControlFrame frame) {
        try {
            writer.write(frame);
        } catch (IOException e) {
            sessions.endLater(this, e.toString());
        }
    }

    void refuse(int id, int object, RefusedException why) {
        sessions.refused(tenant(), why);
        say(new Refused(why.refusal().ordinal(), why.getMessage()).frame(id, object));
    }

    /** QPs' peers are gone: moves them to ERR, and says so. */
    void disconnected(Collection<Integer> qps) {
        end(qps, Command.DISCONNECTED);
    }

    /** A QP has no peer to wait for: moves it to ERR, and says so. */
    void abandoned(int qp) {
        end(List.of(qp), Command.ERROR);
    }

    /** Never throws: whoever ends the connection has its own end to come to, also when this device has ended. */
    private void end(Collection<Integer> qps, Command said) {
        List<Integer> living = ended ? List.of() : qps.stream().filter(this::has).toList();
        if (living.isEmpty()) {
            return;
        }
        try {
            device.failAll(living);
        } catch (RefusedException e) {
            if (e.refusal() == Refusal.BUSY) {
                sessions.endLater(this, "qps=" + living.size() + " have no peer, and live on: " + e.getMessage());
            }
            return; // else the engine has let go of the device, and its session ends next
        }
        living.forEach(qp -> say(ControlFrame.of(said, 0, qp)));
    }

    @Override
    public void wake(int cq) {
        try {
            if (!writer.tryWrite(Command.WAKE, 0, cq)) {
                wakeAll = true;
                sessions.wantWrite(key);
            }
        } catch (IOException e) {
            sessions.endLater(this, e.toString());
        }
    }

    @Override
    public void failed(int qp) {
        try {
            writer.write(ControlFrame.of(Command.ERROR, 0, qp));
        } catch (IOException e) {
            sessions.endLater(this, e.toString());
        }
    }

    @Override
    public void accessRefused() {
        int count = door.accessRefused(sessions.nowNs());
        if (count > 0) {
            sessions.keysGuessed(tenant(), number, count);
        }
    }

    @Override
    public void expelled(String why) {
        sessions.endLater(this, why);
    }

    private void leave() {
        sessions.meetings().gone(this);
        sessions.routes().gone(this);
        try {
            device.end();
        } catch (RefusedException e) {
            if (e.refusal() != Refusal.BUSY) {
                throw e;
            }
            LOG.warn(tenant(), "device={} is given back when the worker comes to it: {}", number, e.getMessage());
            device.endLater(() -> sessions.post(this::giveBack));
            return;
        }
        giveBack();
    }

    /** The engine has let go of the device: so do its peers, and it counts no more. */
    private void giveBack() {
        Joins.Lost lost = new Joins.Lost();
        commands.qps().forEach(qp -> {
            sessions.joins().gone(new End(this, qp), lost);
            sessions.remotes().joins().gone(new End(this, qp));
        });
        lost.tell();
        membership.leave();
    }

    /** Ends it: first the engine lets go, then the socket says so. Idempotent. */
    void end(String why) {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (isAttached()) {
                leave();
            }
        } catch (RuntimeException e) {
            LOG.error(tenant(), "device={} is not given back, as the worker did not let go of it", number, e);
        }
        key.cancel();
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug(tenant(), "device={} closing a socket: {}", number, e.toString());
        }
        sessions.ended(this, why);
    }
}
