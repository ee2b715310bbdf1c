package org.jvrpc.runtime.verbs;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A link over verbs: a QP, its session memory, and the cached verb calls over it. A send hands its header
 * over to a device that delivers at once; else it changes the header and one length of its slot's SEND, and executes.
 * What finds no room in the send queue, because the peer or the network is slow, stays in its slot and goes on with
 * later polls. Receives are posted again in batches, in order, after the next poll. Long bodies are READ by their
 * receiver.
 */
public final class VerbsLink extends Link implements KeepAlive.Pings {

    private static final int SIGNAL_EVERY = 64;
    /** How often the acknowledgement of a message without an answer is looked for at once. */
    private static final int SPINS_FOR_ACK = 32;
    /** Nothing failed by itself: the device, or the connection's manager, gave it up. */
    private static final String ENDED = "the connection ended";

    private final Clock clock;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final QueuePair qp;
    private final LinkMemory memory;
    private final SendSlots sends;
    private final PostSend read;
    private final PostSend ping;
    private final ReceiveBatches batches;
    private final WorkCompletion wc = new WorkCompletion();
    private final WorkCompletion sendWc = new WorkCompletion();
    private final long[] controlSent = new long[Protocol.CONTROLS];
    private final Unsent unsent;
    private final Patience patience;
    private boolean taken;
    private int nextControl;
    /** Sends that took a place in the send queue, and those that the device delivered at once. */
    private long posted;
    private long pushed;
    private long woken;
    private long signalled;
    /** Sends that wait for room: the size of {@link #unsent}, at hand for every send and poll. */
    private int waiting;
    /** The last send whose completion somebody waits for without polling again and again. */
    private long awaited;
    private boolean sendsArmed;
    private volatile long completed;
    /** Looks whether the peer is there; null where a socket tells. Its poller's. */
    private KeepAlive keepAlive;
    private Connection connection;

    public VerbsLink(Clock clock, Device device, SessionDomain domain, EventChannel channel, LinkSize size) {
        this(clock, device, domain, size, size.queues(device, domain, channel));
    }

    /** Makes one of queues, which it closes when it fails, too. */
    VerbsLink(Clock clock, Device device, SessionDomain domain, LinkSize size, LinkSize.Queues queues) {
        super(size.slotBytes());
        this.clock = clock;
        this.patience = new Patience(device.longestSendNs());
        this.unsent = new Unsent(size.mostSlots() + Protocol.CONTROLS);
        this.sendCq = queues.sendCq();
        this.receiveCq = queues.receiveCq();
        this.qp = queues.qp();
        Undo undo = new Undo();
        try {
            this.memory = undo.keep(new LinkMemory(qp, domain, size));
            this.sends = memory.sends();
            this.batches = memory.batches();
            this.read = qp.prepareSend(SendRequest.read(0, 0, 0, Sge.of(memory.first(), 0, 0)).signalled());
            this.ping = qp.prepareSend(SendRequest.write(0, 0, 0, Sge.of(memory.first(), 0, 0)).signalled());
            memory.begin();
        } catch (RuntimeException | Error e) {
            undo.keep(queues); // first, for a peer may be sending already
            undo.run();
            throw e;
        }
    }

    @Override
    public Growth prepare(int slots, int receives) {
        return memory.prepare(slots, receives);
    }

    @Override
    public void grow(Growth growth) {
        try {
            memory.grow((LinkRegion) growth);
        } catch (VerbsException e) {
            fail(e.getMessage());
        }
    }

    /** Says what it is connected by. Once, before the first message. */
    public void connected(Connection made) {
        connection = made;
    }

    Clock clock() {
        return clock;
    }

    public QueuePair qp() {
        return qp;
    }

    @Override
    public ByteBuffer body(int slot) {
        return sends.memory(slot).slice(sends.bodyOffset(slot), slotBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public int describe(int slot, Body body) {
        RegionBody region = (RegionBody) body;
        Descriptor.write(sends.memory(slot), sends.bodyOffset(slot), region.sentAddress(), region.rkey());
        return RpcHeader.DESCRIPTOR_BYTES;
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        if (push(slot, first, second, bodyLength)) {
            return true;
        }
        sends.write(slot, first, second, bodyLength);
        long number = ++posted;
        if (number - signalled >= SIGNAL_EVERY || waiting != 0) {
            return sendSignalled(slot, number);
        }
        return sends.post(slot) || keep(slot, number);
    }

    @Override
    public boolean sendFrom(int slot, long first, long second, int head, ByteBuffer body, int at, int length) {
        return waiting == 0 && sends.push(slot, first, second, head, body, at, length) && ++pushed > 0;
    }

    /** Has the device deliver a message at once, behind those that wait; false when it cannot. */
    private boolean push(int slot, long first, long second, int bodyLength) {
        if (waiting != 0 || !sends.push(slot, first, second, bodyLength)) {
            return false;
        }
        pushed++;
        return true;
    }

    private boolean sendSignalled(int slot, long number) {
        if (waiting != 0 || !post(slot, number)) {
            keep(slot, number);
        }
        drainSends();
        return failure() == null;
    }

    private boolean post(int slot, long number) {
        boolean done = sends.postSignalled(slot, number);
        signalled = done ? number : signalled;
        return done;
    }

    private boolean keep(int slot, long number) {
        drainSends(); // which may make room for the next try
        if (!unsent.add(slot, number, clock.nanoTime())) {
            fail("more is sent than there are slots: slots=" + unsent.size());
        }
        awaited = number;
        waiting = unsent.size();
        return failure() == null;
    }

    @Override
    public boolean isBehind() {
        return waiting != 0;
    }

    @Override
    public void catchUp() {
        drainSends();
        int before = waiting;
        while (waiting != 0 && failure() == null) {
            long nowNs = clock.nanoTime();
            if (!post(unsent.slot(), unsent.number())) {
                if (unsent.stuckNs(nowNs) > patience.roomNs()) {
                    fail("peer takes no messages: waiting=" + waiting + " ms=" + unsent.stuckNs(nowNs) / 1_000_000);
                }
                break;
            }
            unsent.remove(nowNs);
            waiting = unsent.size();
        }
        if (waiting != before) {
            qp.wakePeer(); // what woke it when these were sent was before they were posted
        }
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        if (push(slot, first, second, bodyLength)) {
            wakePeer();
            return 0; // it has left
        }
        sends.write(slot, first, second, bodyLength);
        long number = ++posted;
        sendSignalled(slot, number);
        for (int i = 0; i < SPINS_FOR_ACK && completed < number && failure() == null; i++) {
            drainSends();
        }
        wakePeer();
        return failure() == null ? number : -1;
    }

    @Override
    public boolean isSent(long number) {
        return completed >= number;
    }

    @Override
    public long sends() {
        return posted + pushed;
    }

    @Override
    public long ping() {
        return postSignalled(ping);
    }

    private long postSignalled(PostSend call) {
        long number = posted + 1;
        if (waiting != 0 || call.wrId(0, number).execute() != 1) { // what is sent first is posted first
            drainSends();
            return 0;
        }
        posted = number;
        signalled = number;
        awaited = number;
        drainSends();
        return number;
    }

    @Override
    public void reap() {
        drainSends();
    }

    /** A ping behind the last send, which nothing may have asked a completion of, tells of both. */
    @Override
    public boolean hasLeft() {
        drainSends();
        if (signalled < posted && waiting == 0) {
            ping();
        }
        return completed >= posted || failure() != null;
    }

    @Override
    public boolean hasControl() {
        if (completed < controlSent[nextControl]) {
            drainSends();
        }
        return completed >= controlSent[nextControl];
    }

    @Override
    public boolean sendControl(long first, long second) {
        int control = nextControl;
        nextControl = nextControl + 1 == Protocol.CONTROLS ? 0 : nextControl + 1;
        if (!LinkWaits.awaitSent(this, controlSent[control], patience.longestSendNs())) {
            return false;
        }
        controlSent[control] = sendOneWay(memory.controls() + control, first, second, 0);
        return failure() == null;
    }

    private void drainSends() {
        try {
            while (sendCq.poll(sendWc)) {
                if (!sendWc.succeeded()) {
                    broken(sendWc.status());
                    return;
                }
                completed = Math.max(completed, sendWc.wrId());
            }
        } catch (VerbsException e) {
            fail(e.getMessage());
        }
    }

    /** Names the cause: the one send that failed by itself, which those before and behind it were flushed for. */
    private void broken(WcStatus first) {
        WcStatus cause = first;
        while (cause == WcStatus.WR_FLUSH_ERR && sendCq.poll(sendWc)) {
            cause = sendWc.status();
        }
        fail(cause == WcStatus.WR_FLUSH_ERR ? ENDED : "send failed: " + cause);
    }

    @Override
    public long fetchLimitNs(int length) {
        return patience.fetchNs(length);
    }

    @Override
    public long beginFetch(Body into, int offset, int length, long source, int key) {
        RegionBody body = (RegionBody) into;
        read.address(0, 0, body.address() + offset)
                .length(0, 0, length)
                .lkey(0, 0, body.lkey())
                .remoteAddress(0, source + offset)
                .rkey(0, key);
        return postSignalled(read);
    }

    @Override
    public boolean fetchNow(long source, int key, ByteBuffer into, int at, int length) {
        return read.remoteAddress(0, source).rkey(0, key).read(into, at, length);
    }

    @Override
    public boolean poll() {
        if (taken) {
            taken = false;
            batches.done();
        }
        try {
            if (!receiveCq.poll(wc)) {
                wakePeer();
                if (waiting != 0) {
                    catchUp();
                }
                return false;
            }
        } catch (VerbsException e) {
            return fail(e.getMessage());
        }
        return take();
    }

    @Override
    public boolean hasMore() {
        return receiveCq.hasMore();
    }

    @Override
    public void wakePeer() {
        if (woken != posted + pushed) {
            woken = posted + pushed;
            qp.wakePeer();
        }
    }

    @Override
    public void expectSends(int count) {
        qp.expectSends(count);
    }

    private boolean take() {
        if (!wc.succeeded()) {
            drainSends(); // the cause, where there is one, is there
            return fail(wc.status() == WcStatus.WR_FLUSH_ERR ? ENDED : "receive failed: " + wc.status());
        }
        int length = wc.byteLength();
        ByteBuffer inline = wc.inlineBuffer();
        if (inline != null) {
            payload(inline, wc.inlineOffset(), length);
        } else {
            int receive = (int) wc.wrId();
            payload(batches.memory(receive), batches.offset(receive), length);
        }
        taken = true;
        return length >= RpcHeader.BYTES || fail("message is shorter than a header: bytes=" + length);
    }

    @Override
    public void arm() {
        receiveCq.arm();
        if (awaited > completed) {
            sendsArmed = true;
            sendCq.arm();
        }
    }

    @Override
    public void disarm() {
        receiveCq.disarm();
        if (sendsArmed) {
            sendsArmed = false;
            sendCq.disarm();
        }
    }

    @Override
    public void keepAlive(long idleNs) {
        keepAlive = KeepAlive.of(connection, this, idleNs, clock.nanoTime());
    }

    @Override
    public void checkPeer(long nowNs) {
        if (keepAlive != null && failure() == null) {
            keepAlive.look(nowNs);
        }
    }

    @Override
    public boolean isConnected() {
        return connection.isConnected();
    }

    @Override
    public InetAddress peerHost() {
        return connection.peerHost();
    }

    @Override
    public void breakOff() {
        qp.error();
    }

    @Override
    public void disconnect() {
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public void close() {
        qp.close();
        receiveCq.close();
        sendCq.close();
        memory.close();
    }
}
