package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.verbs.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's session with one client. The poller thread does everything here, except what is said to be for any thread.
 */
final class ServerSession {

    private static final Logger LOG = LoggerFactory.getLogger(ServerSession.class);
    /** Longer requests run on the executor, however light their method; no slot is longer. */
    private static final int LARGE = 1 << 20;
    private static final int FETCH_BYTES = 1 << 18;

    private final RpcServer server;
    private final long id;
    private final Link link;
    private final BodyPool bodies;
    private final ServerSlot[] slots;
    private final HeavyCall[] heavy;
    private final ServerSlot oneWay;
    private final long clientMaxBody;
    private final int creditBatch;
    private final Queue<Runnable> finished = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    private Connection connection;
    private int creditsOwed;
    private int open;
    private volatile boolean broken;
    private volatile boolean buried;

    ServerSession(RpcServer server, long id, Link link, BodyPool bodies, Hello hello, int credits) {
        this.server = server;
        this.id = id;
        this.link = link;
        this.bodies = bodies;
        this.clientMaxBody = hello.maxBodyBytes();
        this.slots = new ServerSlot[hello.slots()];
        this.heavy = new HeavyCall[hello.slots()];
        WireReader reader = new WireReader();
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new ServerSlot(this, i, link.body(i), reader);
        }
        this.oneWay = new ServerSlot(this, -1, ByteBuffer.allocateDirect(Settings.MIN_SLOT_BYTES), reader);
        this.creditBatch = Math.max(1, credits / 4);
    }

    void connected(Connection made) {
        connection = made;
    }

    Connection connection() {
        return connection;
    }

    RpcServer server() {
        return server;
    }

    long id() {
        return id;
    }

    Link link() {
        return link;
    }

    BodyPool bodies() {
        return bodies;
    }

    int slotBytes() {
        return link.slotBytes();
    }

    /** Any thread. */
    boolean isConnected() {
        return !broken && connection.isConnected();
    }

    /** Returns the number of calls that are not answered yet. */
    int open() {
        return open;
    }

    // ---- requests

    /** Handles up to {@code limit} messages and one piece of other work; returns how many. */
    int poll(int limit) {
        int count = 0;
        while (count < limit && link.poll()) {
            count++;
            message();
        }
        if (!finished.isEmpty() || !fetches.isEmpty()) {
            count += otherWork();
        }
        if (link.failure() != null) {
            broken = true;
        }
        return count;
    }

    private int otherWork() {
        int count = 0;
        for (Runnable done = finished.poll(); done != null; done = finished.poll()) {
            count++;
            done.run();
        }
        if (!fetches.isEmpty()) {
            count++;
            fetchPiece(fetches.peek());
        }
        return count;
    }

    private void message() {
        long first = link.first();
        long second = link.second();
        switch (RpcHeader.kind(first)) {
            case RpcHeader.REQUEST -> request(first, second);
            case RpcHeader.ONE_WAY -> {
                oneWay(first, second);
                oweCredit();
            }
            case RpcHeader.CANCEL -> {
                cancel(RpcHeader.callId(first));
                oweCredit();
            }
            case RpcHeader.RELEASE -> {
                release(RpcHeader.callId(first));
                oweCredit();
            }
            default -> breakOff("message of unknown kind=" + RpcHeader.kind(first));
        }
    }

    private void breakOff(String why) {
        if (!broken) {
            LOG.warn("session {}: protocol error, {}", id, why);
            broken = true;
        }
    }

    private boolean fits(long first, long second) {
        int length = link.payloadLength() - RpcHeader.BYTES;
        int body = RpcHeader.bodyLength(second);
        return (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) != 0
                ? length == RpcHeader.DESCRIPTOR_BYTES
                : body >= 0 && length == (long) body + RpcHeader.extensionLength(second);
    }

    private void request(long first, long second) {
        int callId = RpcHeader.callId(first);
        int index = RpcHeader.slot(callId);
        if (index >= slots.length || slots[index].isBusy() || !fits(first, second)) {
            breakOff("request callId=" + Integer.toHexString(callId) + " length=" + link.payloadLength()
                    + " says bodyLength=" + RpcHeader.bodyLength(second));
            return;
        }
        ServerSlot slot = slots[index];
        slot.begin(callId);
        open++;
        if ((RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) != 0) {
            beginFetch(slot, first, second);
        } else {
            handle(slot, first, second, link.payload(), link.payloadOffset() + RpcHeader.BYTES);
        }
    }

    private void handle(ServerSlot slot, long first, long second, ByteBuffer in, int offset) {
        int body = RpcHeader.bodyLength(second);
        int number = RpcHeader.method(first);
        ServiceTable.Method method = server.services().find(number);
        try {
            slot.arguments(method, in, offset, body, RpcHeader.extensionLength(second));
            if (number == RpcHeader.OPEN) {
                server.services().open(slot.arguments(), slot.result());
            } else if (method == null) {
                throw new RpcException(Status.UNIMPLEMENTED, "no method number=" + number + " here");
            } else if (server.isDraining()) {
                throw new RpcException(Status.UNAVAILABLE, "server is shutting down");
            } else if (method.descriptor().heavy() || body > LARGE) {
                execute(slot, method, in, offset, body);
                return;
            } else {
                server.dispatch(method, slot);
                if (slot.isLater()) {
                    return;
                }
            }
        } catch (Throwable t) {
            failed(slot, t);
            return;
        }
        answer(slot, Status.OK);
    }

    private void execute(ServerSlot slot, ServiceTable.Method method, ByteBuffer in, int offset, int length) {
        ByteBuffer arguments = in;
        int from = offset;
        if (length <= LARGE) {
            arguments = ByteBuffer.allocateDirect(Math.max(1, length)).put(0, in, offset, length);
            from = 0;
        }
        HeavyCall call =
                new HeavyCall(this, slot, slot.callId(), method, slot.extension(), arguments, from, length);
        heavy[slot.index()] = call;
        try {
            server.executor().execute(call);
        } catch (RejectedExecutionException e) {
            heavy[slot.index()] = null;
            throw new RpcException(Status.UNAVAILABLE, "server's executor takes no more calls: " + e.getMessage(), e);
        }
    }

    private void oneWay(long first, long second) {
        ServiceTable.Method method = server.services().find(RpcHeader.method(first));
        if (method == null || !fits(first, second) || (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) != 0) {
            breakOff("one-way call of method number=" + RpcHeader.method(first) + " length=" + link.payloadLength());
            return;
        }
        try {
            int offset = link.payloadOffset() + RpcHeader.BYTES;
            int body = RpcHeader.bodyLength(second);
            oneWay.begin(RpcHeader.callId(first));
            oneWay.arguments(method, link.payload(), offset, body, RpcHeader.extensionLength(second));
            if (method.descriptor().heavy()) {
                ByteBuffer copy = ByteBuffer.allocateDirect(Math.max(1, body)).put(0, link.payload(), offset, body);
                server.executor().execute(
                        new HeavyCall(this, null, oneWay.callId(), method, oneWay.extension(), copy, 0, body));
            } else {
                server.dispatch(method, oneWay);
            }
        } catch (Throwable t) {
            Failures.toRpc(t, method.descriptor()); // logged; nobody waits for it
        } finally {
            oneWay.end();
        }
    }

    private void cancel(int callId) {
        int index = RpcHeader.slot(callId);
        if (index < slots.length) {
            slots[index].cancel(callId);
            HeavyCall call = heavy[index];
            if (call != null && call.callId() == callId) {
                call.cancel();
            }
        }
    }

    private void release(int callId) {
        int index = RpcHeader.slot(callId);
        if (index < slots.length && !slots[index].isBusy() && slots[index].callId() == callId) {
            slots[index].releaseResponse();
        }
    }

    private void oweCredit() {
        if (++creditsOwed >= creditBatch && !broken) {
            link.sendControl(
                    RpcHeader.first(RpcHeader.CREDIT, 0, 0, 0), RpcHeader.second(0, creditsOwed, 0));
            creditsOwed = 0;
        }
    }

    // ---- long requests

    private void beginFetch(ServerSlot slot, long first, long second) {
        int at = link.payloadOffset() + RpcHeader.BYTES;
        long length = (long) RpcHeader.bodyLength(second) + RpcHeader.extensionLength(second);
        try {
            slot.arguments(null, link.payload(), at, 0, 0);
            if (RpcHeader.bodyLength(second) < 0 || length > server.settings().maxBodyBytes()) {
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes="
                        + length + " limit=" + server.settings().maxBodyBytes());
            }
            Body body = bodies.take(length);
            slot.request(body);
            fetches.add(new Fetch(slot, body, first, second, Descriptor.address(link.payload(), at),
                    Descriptor.rkey(link.payload(), at), (int) length));
        } catch (RpcException e) {
            failed(slot, e);
        }
    }

    private void fetchPiece(Fetch fetch) {
        int piece = Math.min(FETCH_BYTES, fetch.length - fetch.done);
        if (piece > 0 && !link.read(fetch.body, fetch.done, piece, fetch.address, fetch.rkey)) {
            breakOff("long request cannot be read: " + link.failure());
            fetches.clear();
            return;
        }
        fetch.done += piece;
        if (fetch.done == fetch.length) {
            fetches.remove();
            handle(fetch.slot, fetch.first, fetch.second, fetch.body.buffer(), 0);
        } else if (fetches.size() > 1) {
            fetches.add(fetches.remove()); // in turns, so that a long one does not hold up a shorter one
        }
    }

    // ---- answers

    private void failed(ServerSlot slot, Throwable t) {
        RpcException e = Failures.toRpc(t, slot.target() == null ? null : slot.target().descriptor());
        slot.writeFailure(e.getMessage());
        answer(slot, slot.blame(e.status()));
    }

    private void answer(ServerSlot slot, Status status) {
        WireWriter writer = slot.writer();
        send(slot, status, slot.thrownNumber(), writer.length(), slot.response());
    }

    private void send(ServerSlot slot, Status status, int thrown, int length, Body body) {
        open--;
        slot.end();
        if (broken) {
            return;
        }
        int flags = thrown > 0 ? RpcHeader.THROWN : 0;
        int sent = length;
        if (body != null) {
            flags |= RpcHeader.RENDEZVOUS;
            Descriptor.write(link.body(slot.index()), 0, body);
            sent = RpcHeader.DESCRIPTOR_BYTES;
        }
        long first =
                RpcHeader.first(RpcHeader.RESPONSE, flags, thrown > 0 ? thrown : status.code(), slot.callId());
        int credits = creditsOwed;
        creditsOwed = 0;
        link.send(slot.index(), first, RpcHeader.second(length, credits, 0), sent);
    }

    /** A stage that a light call was left to is complete. Any thread. */
    void later(ServerSlot slot, int callId, ServerSlot.LaterWriter writer) {
        finish(() -> {
            if (buried || !slot.isBusy() || slot.callId() != callId) {
                return;
            }
            try {
                writer.write();
                answer(slot, Status.OK);
            } catch (Throwable t) {
                failed(slot, t);
            }
        });
    }

    /** A heavy call is over. Any thread. */
    void heavyDone(HeavyCall call) {
        if (call.slot() == null) {
            discard(call);
            return;
        }
        finish(() -> {
            ServerSlot slot = call.slot();
            heavy[slot.index()] = null;
            if (buried) {
                discard(call);
                slot.end();
                return;
            }
            Body body = call.takeBody();
            WireWriter from = call.writer();
            int length = from.length();
            if (body != null) {
                slot.adoptResponse(body);
            } else {
                link.body(slot.index()).put(0, from.buffer(), from.start(), length);
            }
            send(slot, call.status(), call.thrownNumber(), length, body);
        });
    }

    private void discard(HeavyCall call) {
        Body body = call.takeBody();
        if (body != null) {
            bodies.give(body);
        }
    }

    private void finish(Runnable work) {
        finished.add(work);
        server.wakePoller();
        if (buried) {
            finishBuried();
        }
    }

    /** Nobody polls a buried session; its calls that still ran give their memory back when they end. Any thread. */
    private void finishBuried() {
        for (Runnable done = finished.poll(); done != null; done = finished.poll()) {
            done.run();
        }
    }

    /** Finds memory for a longer result than fits where it is. Any thread. */
    Body grow(WireWriter writer, int needed, Body old, ServiceTable.Method method) {
        long limit = Math.min(clientMaxBody, server.settings().maxBodyBytes());
        return bodies.grow(writer, needed, old, limit, "result is", method == null ? null : method.descriptor());
    }

    // ---- the end

    /** Tells the client that no new calls are taken. */
    void goAway() {
        if (isConnected()) {
            link.sendControl(RpcHeader.first(RpcHeader.GO_AWAY, 0, 0, 0), RpcHeader.second(0, 0, 0));
        }
    }

    /** Gives the memory back. Control thread, after the poller let go. */
    void bury() {
        connection.close();
        link.close();
        for (ServerSlot slot : slots) {
            if (heavy[slot.index()] == null) { // else its handler may still read its arguments
                slot.end();
            }
            slot.releaseResponse();
        }
        oneWay.releaseResponse(); // of a one-way call of a method that has a result
        bodies.close();
        buried = true;
        finishBuried();
    }
}
