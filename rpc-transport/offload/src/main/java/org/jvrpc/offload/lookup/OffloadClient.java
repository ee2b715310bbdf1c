package org.jvrpc.offload.lookup;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.offload.table.KeyArray;
import org.jvrpc.offload.table.Node;
import org.jvrpc.offload.wr.LapIndex;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Asks lookups of a host: one SEND starts the program, which writes the answer here. Also reads the host's data itself,
 * one-sided. One thread at a time; allocates nothing once connected.
 */
public final class OffloadClient implements AutoCloseable {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int SPINS_PER_LOOK = 64;
    /** What lasts longer lets others have the processor: who answers may want this very one. */
    private static final long SPIN_NS = 20_000;
    private static final int MAX_CHAIN = 64;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final LookupKind kind;
    private final ProtectionDomain pd;
    private final MemoryRegion memory;
    private final ByteBuffer bytes;
    private final ByteBuffer answer;
    private final int request;
    private final int readAt;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final Connection connection;
    private final LookupHello.Answer hello;
    /** What each lap of the program needs, behind the request's number. */
    private final LapIndex[] indices;
    private final PostSend send;
    private final PostSend read;
    private final WorkCompletion wc = new WorkCompletion();
    /** How long a READ may wait behind a lookup that its host is slow to take. */
    private final long readTimeoutNs;
    private WcStatus failure = WcStatus.SUCCESS;
    private long number;
    private int unsignalled;
    private long readNumber;

    private OffloadClient(
            Device device, String address, String name, int answerBytes, EventChannel channel, long timeoutNs) {
        this.readTimeoutNs = timeoutNs;
        try {
            this.pd = keep(device.allocatePd());
            this.request = LookupHello.ANSWER + (answerBytes + 63 & -64);
            this.readAt = request + 1024;
            this.memory = keep(pd.allocate(readAt + (long) answerBytes, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
            this.bytes = memory.buffer(0, (int) memory.length());
            this.answer = memory.buffer(LookupHello.ANSWER, answerBytes);
            this.cq = keep(device.createCq(CompletionQueueAttributes.ofDepth(256)));
            this.qp = keep(pd.createQp(new QueuePairAttributes(cq, cq).depth(128, 1)
                    .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 1000)));
            qp.init();
            this.connection = keep(device.connect(address, qp, new LookupHello.Request(memory.address(),
                    LookupHello.ANSWER + answerBytes, memory.rkey(), name).encode(), channel, timeoutNs));
            this.hello = LookupHello.Answer.decode(connection.privateData());
            if (hello == null) {
                throw new ConnectionException(ConnectionException.Reason.VERSION,
                        address + " hosts no lookups of this version", null);
            }
            this.indices = hello.indices().toArray(LapIndex[]::new);
            this.kind = LookupKind.values()[hello.kind()];
            this.send = qp.prepareSend(SendRequest.send(0,
                    new Sge(memory.address() + request, kind.requestBytes() + 4 * indices.length,
                            memory.lkey())));
            this.read = qp.prepareSend(SendRequest.read(1, 0, hello.rkey(),
                    new Sge(memory.address() + readAt, answerBytes, memory.lkey())).signalled());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Connects.
     *
     * @param name of the lookup
     * @param answerBytes the longest value that is taken, 8 bytes to 1 GiB; the host must not have longer ones where
     *     the program finds them
     * @param channel which notices that the host is gone, in its {@code await}
     * @throws ConnectionException when there is no host, or it does not offer the lookup
     */
    public static OffloadClient connect(
            Device device, String address, String name, int answerBytes, EventChannel channel, long timeoutNs) {
        if (answerBytes < 8) {
            throw new IllegalArgumentException("answerBytes must be at least 8, answerBytes=" + answerBytes);
        }
        return new OffloadClient(device, address, name, answerBytes, channel, timeoutNs);
    }

    private <P extends AutoCloseable> P keep(P part) {
        parts.push(part);
        return part;
    }

    /** Returns the program that answers. */
    public LookupKind kind() {
        return kind;
    }

    /** Returns the address of the header that tells where to search, in the host's memory, see {@link IndexHeader}. */
    public long header() {
        return hello.header();
    }

    /** Returns the key of the host's data, for one-sided reads. */
    public int rkey() {
        return hello.rkey();
    }

    /** Returns the memory that answers are written to, little-endian; it changes with each lookup. */
    public ByteBuffer answer() {
        return answer;
    }

    /** Returns the memory of requests, to be filled from {@link #requestOffset()} on. */
    public ByteBuffer request() {
        return bytes;
    }

    /** Returns where a request begins in {@link #request()}. */
    public int requestOffset() {
        return request;
    }

    /**
     * Looks a key up in two buckets.
     *
     * @param image of the key, see {@link org.jvrpc.offload.table.Bucket#image(long)}
     * @param first address of a bucket
     * @param second address of the other one
     * @param timeoutNs how long to wait for the program
     */
    public Outcome hashGet(long image, long first, long second, long timeoutNs) {
        int at = request;
        // The compare-and-swap compares little-endian what the image has big-endian.
        LONG.set(bytes, at, image);
        BIG.set(bytes, at + 8, first);
        LONG.set(bytes, at + 16, image);
        BIG.set(bytes, at + 24, second);
        return ask(at + 32, timeoutNs);
    }

    /**
     * Sends the request, whose number goes to {@code numberAt}, and waits for its end.
     *
     * @return FOUND when the answer's first word is not zero
     */
    private Outcome ask(int numberAt, long timeoutNs) {
        if ((long) LONG.getAcquire(bytes, 0) != number) {
            poll();
            if ((long) LONG.getAcquire(bytes, 0) != number) {
                return isBroken() ? Outcome.BROKEN : Outcome.UNFINISHED; // the last one may still write
            }
        }
        for (int i = 0; i < indices.length; i++) {
            BIG_INT.set(bytes, numberAt + 8 + 4 * i, indices[i].of(number));
        }
        number++;
        LONG.set(bytes, numberAt, number);
        LONG.setRelease(bytes, LookupHello.ANSWER, 0L);
        if (!post(send)) {
            return Outcome.BROKEN;
        }
        // Acquire: pairs with the device's release when it writes the word, after the answer.
        if ((long) LONG.getAcquire(bytes, 0) != number && !await(timeoutNs)) {
            return isBroken() ? Outcome.BROKEN : Outcome.UNFINISHED;
        }
        return (long) LONG.get(bytes, LookupHello.ANSWER) != 0 ? Outcome.FOUND : Outcome.MISSED;
    }

    private boolean post(PostSend call) {
        boolean signalled = ++unsignalled == 32;
        if (signalled || unsignalled == 1) {
            call.signalled(0, signalled);
            unsignalled = signalled ? 0 : unsignalled;
        }
        while (qp.state() == QueuePairState.RTS) {
            if (call.execute() == 1) {
                return true;
            }
            poll();
        }
        return false;
    }

    private boolean await(long timeoutNs) {
        long startNs = System.nanoTime();
        boolean yields = false;
        for (int spin = 1; ; spin++) {
            if ((long) LONG.getAcquire(bytes, 0) == number) {
                return true;
            }
            poll();
            if (spin % SPINS_PER_LOOK == 0 || yields) {
                long tookNs = System.nanoTime() - startNs;
                if (tookNs > timeoutNs || isBroken()) {
                    return (long) LONG.getAcquire(bytes, 0) == number;
                }
                yields = tookNs > SPIN_NS;
            }
            pause(yields);
        }
    }

    private static void pause(boolean yields) {
        if (yields) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Polls the next completion; also lets a program go on that was stopped in its run. */
    private boolean poll() {
        boolean found = cq.poll(wc);
        if (found && !wc.succeeded() && failure == WcStatus.SUCCESS) {
            failure = wc.status();
        }
        return found;
    }

    /** Returns true when there is no use in asking again. */
    public boolean isBroken() {
        return qp.state() != QueuePairState.RTS || !connection.isConnected();
    }

    /**
     * Returns what the connection is like, for messages: the QP's state, whether the host is there, and the status of
     * the first work request that failed, {@link WcStatus#SUCCESS} when none did.
     */
    public String describe() {
        while (poll()) {
            // the first that failed may not have been looked at
        }
        return "qp=" + qp.state() + " connected=" + connection.isConnected() + " failure=" + failure;
    }

    /**
     * Reads the host's data, one-sided.
     *
     * @param length at most the answer's
     * @return where the bytes lie in {@link #request()}, or -1 when the address is outside, the connection gone, or the
     *     host so slow to take the lookup before that connecting would have been given up
     */
    public int read(long address, int length) {
        long reading = nextReading();
        read.remoteAddress(0, address).length(0, 0, length).wrId(0, reading);
        return post(read, 1) && complete(reading) ? readAt : -1;
    }

    /** Posts READs; the SENDs of lookups that were answered give their room back first. @return false when it cannot */
    boolean post(PostSend reads, int count) {
        while (poll()) {
            // nobody looks at the completions of lookups but for room
        }
        return qp.state() == QueuePairState.RTS && reads.execute() == count;
    }

    /** Returns the id of the next request that {@link #complete} waits for. */
    long nextReading() {
        return ++readNumber;
    }

    /** Waits for a READ. @return false when it failed, or took as long as connecting may */
    boolean complete(long reading) {
        long startNs = 0;
        boolean yields = false;
        for (int empty = 0; ; ) {
            if (poll()) {
                if (!wc.succeeded()) {
                    return false;
                }
                if (wc.wrId() == reading) {
                    return true;
                }
            } else if (++empty % SPINS_PER_LOOK == 0 || yields) {
                long nowNs = System.nanoTime();
                startNs = startNs == 0 ? nowNs : startNs;
                if (nowNs - startNs > readTimeoutNs || isBroken()) {
                    return false;
                }
                yields = nowNs - startNs > SPIN_NS;
                pause(yields);
            }
        }
    }

    /**
     * Prepares reading of several pieces of the host's data at once.
     *
     * @param most READs of a chain, 1 to 64
     * @param bytesEach the longest piece
     */
    public ReadChain reads(int most, int bytesEach) {
        if (most < 1 || most > MAX_CHAIN) {
            throw new IllegalArgumentException("most=" + most + ": 1 to " + MAX_CHAIN + " READs of a chain");
        }
        MemoryRegion region = keep(pd.allocate((long) most * bytesEach, Access.LOCAL_WRITE));
        return new ReadChain(this, qp, region, hello.rkey(), most, bytesEach);
    }

    /** Disconnects. Idempotent. */
    @Override
    public void close() {
        for (AutoCloseable part = parts.poll(); part != null; part = parts.poll()) {
            try {
                part.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError("nothing of these throws checked exceptions", e);
            }
        }
    }

    /**
     * Looks a key up in the first 8 nodes of a list.
     *
     * @param key 1 to 2<sup>48</sup> - 1
     * @param first address of the first node
     * @param timeoutNs how long to wait for the program
     * @throws IllegalArgumentException for key 0, which the end of a list has
     */
    public Outcome listWalk(long key, long first, long timeoutNs) {
        if (key == Node.END_KEY) {
            throw new IllegalArgumentException("key must not be that of a list's end, key=" + key);
        }
        long image = kind == LookupKind.LIST_WALK ? Node.sleepingImage(key) : Node.readImage(key);
        int at = request;
        for (int end = at + 8 * ListWalkBreak.NODES; at < end; at += 8) {
            LONG.set(bytes, at, image);
        }
        BIG.set(bytes, at, first);
        return ask(at + 8, timeoutNs);
    }

    /**
     * Looks a key up among 8 that lie side by side.
     *
     * @param key 1 to 2<sup>48</sup> - 1
     * @param keys address of the first of them, see {@link KeyArray#address}
     * @param timeoutNs how long to wait for the program
     * @return FOUND when it is there, as the n-th, from 1 on, where n is the answer's first word
     * @throws IllegalArgumentException for key 0, which stands behind the last key of an array
     */
    public Outcome arraySearch(long key, long keys, long timeoutNs) {
        if (key == KeyArray.NO_KEY) {
            throw new IllegalArgumentException("key must not be that of no key, key=" + key);
        }
        long image = KeyArray.image(key);
        int at = request;
        for (int end = at + 8 * KeyArray.SEARCHED; at < end; at += 8) {
            LONG.set(bytes, at, image);
        }
        BIG.set(bytes, at, keys);
        LONG.set(bytes, at + 8, 1L);
        return ask(at + 16, timeoutNs);
    }
}
