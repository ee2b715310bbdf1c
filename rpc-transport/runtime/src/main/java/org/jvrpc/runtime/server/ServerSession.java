package org.jvrpc.runtime.server;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.server.queue.Backlog;
import org.jvrpc.runtime.service.Caller;
import org.jvrpc.runtime.service.Marks;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Inbox;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's session with one client. Its poller's thread does everything here, except what is said to be for any
 * thread. It waits for nothing: what the client is slow to take or to give is looked for again in later polls.
 */
final class ServerSession implements Caller {

    private static final Logger LOG = LoggerFactory.getLogger(ServerSession.class);
    /** How many messages are handled between two looks at the clock while more lie behind; a power of two. */
    private static final int MESSAGES_PER_LOOK = 4;

    private final ServerCore server;
    private final ServerPoller poller;
    private final long id;
    private final Link link;
    private final Bodies bodies;
    private final ServerSlots slots;
    private final Gate gate;
    private final OpenedMethods opened;
    private final HeavyCalls heavy;
    private final Handling handling;
    /** Null where nothing is counted. */
    private final ServerCounters counters;
    private final OneWayCalls oneWays;
    private final long clientMaxBody;
    private final boolean takesTrailers;
    private final ServerControls controls;
    private final Answers answers;
    private final Requests requests;
    private final Inbox<Runnable> finished = new Inbox<>();
    private final LongRequests longRequests;
    private final Backlog backlog;
    private int open;
    /** No message is taken: answers find no room in the send queue, or messages lie in the backlog. */
    private boolean held;
    /** There is more to do than to take messages. */
    private boolean chores;
    /** The client has left: what it sent before is taken, and nothing is sent any more. */
    private boolean gone;
    private boolean ending;
    private volatile boolean broken;
    private volatile boolean buried;

    ServerSession(ServerCore server, ServerPoller poller, long id, Link link, Bodies bodies, Hello hello, int credits) {
        this.server = server;
        this.poller = poller;
        this.id = id;
        this.link = link;
        this.bodies = bodies;
        this.clientMaxBody = hello.maxBytes();
        this.takesTrailers = hello.trailers();
        this.gate = server.guard().gate(id, link.who(), why -> finish(() -> expelled(why)));
        this.opened = new OpenedMethods(server.services(), gate);
        this.heavy = new HeavyCalls(this, server.heavyCalls(), hello.units(), credits);
        this.counters = ServerCounters.of(poller.counters(), id, hello.firstUnits(), credits);
        WireReader reader = new WireReader();
        this.oneWays = new OneWayCalls(this, heavy, reader);
        this.controls = new ServerControls(link, credits);
        this.answers = new Answers(link, controls, server.clock(), hello.packed());
        this.handling = new Handling(this, opened, controls);
        this.requests = new Requests(this, answers);
        this.slots = new ServerSlots(this, link, controls, reader, hello.firstUnits(), hello.units());
        this.longRequests = new LongRequests(this, opened, controls);
        this.backlog = new Backlog(link, server.scratch(), Protocol.CALLS.requests(hello.units()));
    }

    ServerCore server() {
        return server;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public InetAddress peerHost() {
        return link.peerHost();
    }

    @Override
    public RpcPrincipal principal() {
        return gate.principal();
    }

    Gate gate() {
        return gate;
    }

    @Override
    public boolean takesTrailers() {
        return takesTrailers;
    }

    Link link() {
        return link;
    }

    Bodies bodies() {
        return bodies;
    }

    @Override
    public boolean isConnected() {
        return !broken && link.isConnected();
    }

    /** Returns the number of calls that are not answered yet. */
    int open() {
        return open;
    }

    /** Returns true when there is something to do that no message tells of, if only that the session is to end. */
    boolean isUnfinished() {
        return chores || gone || broken;
    }

    /** Handles up to {@code limit} messages and one piece of other work; returns how many. */
    int poll(int limit) {
        int count = 0;
        int messages = 0;
        boolean more = true;
        while (count < limit && !held && (more = link.poll())) {
            if (count == 0) {
                answers.begin();
            }
            if ((messages++ & MESSAGES_PER_LOOK - 1) == 0 && link.hasMore() && poller.hasPaused()) {
                answers.flush(); // nobody sends it while the backlog is handled
                backlog.fill();
                held = true;
                chores = true;
                count++;
            } else {
                count += message(
                        link.first(), link.second(), link.payload(), link.payloadOffset(), link.payloadLength());
            }
        }
        if (count > 0) {
            answers.end(count, !more || held);
            lookBehind();
        }
        if (chores || finished.isFilled()) {
            count += otherWork(limit);
        }
        if (gone || link.failure() != null) {
            end(!more && backlog.isEmpty());
        }
        return count;
    }

    /** @param drained when nothing was found of what the client has sent */
    private void end(boolean drained) {
        if (ending) {
            broken |= drained;
        } else {
            ending = true;
            gone = true;
            link.breakOff(); // so that no more comes than is there
        }
    }

    /** The client has left. */
    void leave() {
        gone = true;
    }

    /** Returns true when there is nothing to take any more of a client that has left. */
    boolean isOver() {
        return broken;
    }

    private int otherWork(int limit) {
        int count = Inbox.runAll(finished);
        if (!chores) {
            return count;
        }
        if (link.isBehind()) {
            link.catchUp();
        }
        count += pollBacklog(limit);
        if (!broken && !gone && !longRequests.isEmpty() && longRequests.poll(limit)) {
            count++;
        }
        boolean due = !gone && isConnected() && !controls.send();
        broken |= slots.areRefused() && slots.haveLeft();
        held = broken || isBehind() || !backlog.isEmpty();
        chores = held || due || !longRequests.isEmpty() || slots.areRefused();
        return count;
    }

    /** Messages of a client that has left are not held up by answers, which find no room any more. */
    private boolean isBehind() {
        return !gone && link.isBehind();
    }

    private int pollBacklog(int limit) {
        int count = 0;
        while (count < limit && !isBehind() && !backlog.isEmpty()) {
            count++;
            Backlog.Message message = backlog.take();
            if (message.isCancelled()) {
                refuse(message);
            } else {
                message(message.first, message.second, message.memory, 0, message.length);
            }
            backlog.release(message);
        }
        return count;
    }

    /** A long request cannot be read: nothing is answered any more, what came behind it is still taken. */
    void unreadable() {
        link.fail("the client's memory cannot be read");
        if (!gone) {
            LOG.warn("session {} ends, a long request cannot be read: {}", id, link.failure());
            end(false);
        }
    }

    /** Handles a message; returns how many there were in it. */
    private int message(long first, long second, ByteBuffer in, int at, int length) {
        if (RpcHeader.kind(first) == RpcHeader.REQUEST && (RpcHeader.flags(first) & RpcHeader.MORE) != 0) {
            return requests.take(first, second, in, at, length);
        }
        answers.next(RpcHeader.kind(first) == RpcHeader.REQUEST);
        switch (RpcHeader.kind(first)) {
            case RpcHeader.REQUEST -> request(first, second, in, at, length);
            case RpcHeader.ONE_WAY -> oneWays.take(opened, first, second, in, at, length);
            case RpcHeader.CANCEL -> cancel(RpcHeader.callId(first));
            case RpcHeader.RELEASE -> {
                slots.release(RpcHeader.callId(first));
                oweCredit();
            }
            case RpcHeader.GROW -> slots.ask(RpcHeader.method(first));
            default -> breakOff("message of unknown kind=" + RpcHeader.kind(first));
        }
        return 1;
    }

    void breakOff(String why) {
        if (!broken) {
            LOG.warn("session {}: protocol error, {}", id, why);
            broken = true;
            held = true;
        }
    }

    /** Takes the slot of a request; null when the request is none. */
    private ServerSlot begin(long first, long second, int length) {
        int callId = RpcHeader.callId(first);
        ServerSlot slot = slots.find(RpcHeader.slot(callId));
        if (slot == null || slot.isBusy() || !RpcHeader.fits(first, second, length)) {
            Rare.reached("a request that cannot be one");
            breakOff("request callId=" + Integer.toHexString(callId) + " length=" + length
                    + " says bodyLength=" + RpcHeader.bodyLength(second));
            return null;
        }
        slot.begin(callId);
        open++;
        return slot;
    }

    void request(long first, long second, ByteBuffer in, int at, int length) {
        ServerSlot slot = begin(first, second, length);
        if (slot == null) {
            return;
        }
        if ((RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) != 0) {
            longRequests.begin(slot, first, second, in, at + RpcHeader.BYTES);
        } else {
            handle(slot, first, second, in, at + RpcHeader.BYTES);
        }
    }

    /** Answers a request that its caller has given up already. */
    private void refuse(Backlog.Message message) {
        ServerSlot slot = begin(message.first, message.second, message.length);
        if (slot != null) {
            slot.target(opened.known(RpcHeader.method(message.first)));
            refused(slot, new RpcException(Status.CANCELLED, "caller gave up before the handler ran"));
        }
    }

    void handle(ServerSlot slot, long first, long second, ByteBuffer in, int offset) {
        handling.handle(slot, first, second, in, offset);
    }

    private void cancel(int callId) {
        ServerSlot slot = slots.find(RpcHeader.slot(callId));
        if (slot != null) {
            slots.giveUp(slot, callId);
            heavy.cancel(slot.index(), callId);
        }
        oweCredit();
    }

    /** A credit of the client comes back. */
    void oweCredit() {
        if (controls.owe() && !gone && !broken && !buried) {
            chores |= !controls.send();
        }
    }

    /** There is a long request to go on with, or a control message to send. */
    void hasChores() {
        chores = true;
    }

    /** Ends a call whose handler did not run. */
    void refused(ServerSlot slot, Throwable why) {
        answer(slot, slot.fail(why, false));
    }

    void answer(ServerSlot slot, Status status) {
        Status ended = (slot.marks() & Marks.RESPONSE) == 0 ? status : slot.writeTrailers(status);
        send(slot, ended, slot.marks(), slot.bodyLength(), slot.response());
    }

    /** Sends an answer, whose bytes lie in the slot or in a body, and ends the call. */
    void send(ServerSlot slot, Status status, long marks, int length, Body body) {
        open--;
        slots.answers(slot);
        slot.end();
        if (!broken && !gone) {
            answers.send(slot, status, marks, length, body);
            lookBehind();
        }
        if (counters != null) { // while the client is at the answer
            counters.answered(slot, status, marks, length);
        }
    }

    /** No message is taken while answers find no room. */
    private void lookBehind() {
        boolean behind = link.isBehind();
        held |= behind;
        chores |= behind;
    }

    ServerCounters counters() {
        return counters;
    }

    HeavyCalls heavy() {
        return heavy;
    }

    boolean isBuried() {
        return buried;
    }

    /** Has the poller do something for a call that ended elsewhere. Any thread. */
    void finish(Runnable work) {
        finished.add(work);
        poller.wake();
        if (buried) {
            Inbox.runAll(finished); // nobody polls it; calls that still ran give their memory back when they end
        }
    }

    /** Finds memory for a longer result than fits where it is. Any thread. */
    Body grow(WireWriter writer, int needed, Body old, ServiceTable.Method method) {
        long limit = Math.min(clientMaxBody, server.settings().maxBodyBytes());
        return bodies.grow(writer, needed, old, limit, "result is", method == null ? null : method.descriptor());
    }

    ServerSlots slots() {
        return slots;
    }

    /** Tells the client that no new calls are taken. */
    void goAway() {
        controls.oweGoAway();
        chores = true;
    }

    /** Tells the client that all calls are answered that were taken before it was told that no new ones are. */
    void sayLastWord() {
        chores |= controls.oweLastWord();
    }

    /** Ends the session soon, as its principal may not have one any more; until it has left, every call is told so. */
    private void expelled(String why) {
        if (!broken && !buried) {
            opened.refuse(why);
            slots.refuseAll(RpcException.notRun(Status.UNAUTHENTICATED, why));
            chores = true;
        }
    }

    /** Ends the session, because of a failure that is not a call's. */
    void abandon(Throwable cause) {
        LOG.error("session {} ends: it failed", id, cause);
        broken = true;
        held = true;
        answers.end(cause);
    }

    /** Gives the memory back. Control thread, after the poller let go. */
    void bury() {
        Undo undo = new Undo();
        undo.keep(() -> {
            buried = true;
            Inbox.runAll(finished);
        });
        undo.keep(bodies);
        undo.keep(this::releaseSlots);
        undo.keep(link);
        undo.keep(link::disconnect);
        undo.keep(gate);
        undo.run();
    }

    private void releaseSlots() {
        longRequests.clear();
        slots.release(heavy);
        oneWays.release();
        if (counters != null) {
            counters.close();
        }
    }
}
