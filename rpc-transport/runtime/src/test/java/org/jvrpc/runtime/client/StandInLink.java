package org.jvrpc.runtime.client;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;

/** A link that another one does the work of, with fetches that a test holds up. */
final class StandInLink extends Link {

    /** The number of a fetch that is held up, or was. */
    private static final long HELD = Long.MAX_VALUE;

    /** Fetches begin and do not complete. */
    volatile boolean holdsFetches;
    /** Polls find nothing until the link is broken off. */
    volatile boolean holdsPolls;
    /** Control messages find the link broken. */
    volatile boolean failsControls;
    /** The message polled last comes once more. */
    volatile boolean repeats;
    /** The answer that comes next has the number of a call so many before. */
    volatile int earlier;
    /** So many fetches more are done on the spot. */
    final AtomicInteger nows = new AtomicInteger();
    /** Fetches that were done so, and how many releases had been sent before the last one. */
    final AtomicInteger done = new AtomicInteger();
    volatile int releasedBefore;
    /** So many more are not held. */
    final AtomicInteger lets = new AtomicInteger();
    final AtomicInteger fetches = new AtomicInteger();
    final AtomicInteger releases = new AtomicInteger();
    /** Releases while a fetch was under way. */
    final AtomicInteger early = new AtomicInteger();
    private int fetched;
    private final Link real;
    private Body into;
    private int offset;
    private int length;
    private long source;
    private int key;
    private long number;

    StandInLink(Link real) {
        super(real.slotBytes());
        this.real = real;
    }

    Link real() {
        return real;
    }

    private void renumber(int calls) {
        ByteBuffer message = ByteBuffer.allocateDirect(payloadLength()).order(ByteOrder.LITTLE_ENDIAN);
        message.put(0, payload(), payloadOffset(), payloadLength());
        message.putInt(4, message.getInt(4) - RpcHeader.callId(0, calls));
        payload(message, 0, payloadLength());
    }

    private void copyFailure() {
        if (real.failure() != null) {
            fail(real.failure());
        }
    }

    @Override
    public Growth prepare(int slots, int receives) {
        return real.prepare(slots, receives);
    }

    @Override
    public void grow(Growth growth) {
        real.grow(growth);
    }

    @Override
    public ByteBuffer body(int slot) {
        return real.body(slot);
    }

    @Override
    public int describe(int slot, Body body) {
        return real.describe(slot, body);
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        return real.send(slot, first, second, bodyLength);
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        return real.sendOneWay(slot, first, second, bodyLength);
    }

    @Override
    public boolean sendControl(long first, long second) {
        if (RpcHeader.kind(first) == RpcHeader.RELEASE) {
            releases.incrementAndGet();
            early.addAndGet(fetches.get() > fetched ? 1 : 0);
        }
        return failsControls ? fail("the peer has left") : real.sendControl(first, second);
    }

    @Override
    public boolean hasControl() {
        return real.hasControl();
    }

    @Override
    public boolean isSent(long asked) {
        if (asked != HELD) {
            return real.isSent(asked);
        }
        if (holdsFetches && lets.get() == 0) {
            return false;
        }
        number = number == 0 ? real.beginFetch(into, offset, length, source, key) : number;
        copyFailure();
        boolean sent = number != 0 && real.isSent(number);
        if (sent) {
            fetched = fetches.get();
            lets.addAndGet(holdsFetches ? -1 : 0);
        }
        return sent;
    }

    @Override
    public void reap() {
        real.reap();
        copyFailure();
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public boolean isBehind() {
        return real.isBehind();
    }

    @Override
    public void catchUp() {
        real.catchUp();
    }

    @Override
    public void wakePeer() {
        real.wakePeer();
    }

    @Override
    public void expectSends(int count) {
        real.expectSends(count);
    }

    @Override
    public boolean poll() {
        if (repeats && payload() != null) {
            repeats = false;
            return true;
        }
        if (holdsPolls || !real.poll()) {
            copyFailure();
            return false;
        }
        payload(real.payload(), real.payloadOffset(), real.payloadLength());
        if (earlier > 0) {
            renumber(earlier);
            earlier = 0;
        }
        return true;
    }

    @Override
    public boolean hasMore() {
        return real.hasMore();
    }

    @Override
    public long beginFetch(Body body, int at, int bytes, long from, int rkey) {
        fetches.incrementAndGet();
        into = body;
        offset = at;
        length = bytes;
        source = from;
        key = rkey;
        number = 0;
        return HELD;
    }

    @Override
    public boolean fetchNow(long from, int rkey, ByteBuffer target, int at, int bytes) {
        if (nows.get() == 0 || !real.fetchNow(from, rkey, target, at, bytes)) {
            return false;
        }
        nows.decrementAndGet();
        done.incrementAndGet();
        releasedBefore = releases.get();
        return true;
    }

    @Override
    public long fetchLimitNs(int bytes) {
        return real.fetchLimitNs(bytes);
    }

    @Override
    public void arm() {
        real.arm();
    }

    @Override
    public void disarm() {
        real.disarm();
    }

    @Override
    public void keepAlive(long idleNs) {
        real.keepAlive(idleNs);
    }

    @Override
    public void checkPeer(long nowNs) {
        real.checkPeer(nowNs);
    }

    @Override
    public boolean isConnected() {
        return real.isConnected();
    }

    @Override
    public InetAddress peerHost() {
        return real.peerHost();
    }

    @Override
    public void breakOff() {
        holdsPolls = false;
        real.breakOff();
    }

    @Override
    public void disconnect() {
        real.disconnect();
    }

    @Override
    public void close() {
        real.close();
    }
}
