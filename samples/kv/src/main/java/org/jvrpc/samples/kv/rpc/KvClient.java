package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.StoreResult;

/**
 * A client of the store. Gets go the way that it was made for, and on by a call where that way has no answer; all else
 * goes by calls, see {@link #service()}. Gets into a caller's buffer allocate nothing. One thread at a time.
 *
 * <p>Every method that calls throws {@link RpcException}, UNAVAILABLE while the server is gone. READs and lookups go on
 * as long as the host of the memory lives.
 */
public final class KvClient implements AutoCloseable {

    private static final int MAX_CHAIN = 64;
    private static final StoreResult[] RESULTS = StoreResult.values();

    private final RpcClient rpc;
    private final boolean ownRpc;
    private final KvWay way;
    private final KvService service;
    private final LookupLinks links;
    private final OffloadGets offload;
    private final OneSidedGets oneSided;
    private final Calls calls;
    private final Answer answer = new Answer();
    private final KvCounts counts = new KvCounts();
    private final ByteBuffer keyBuffer = ByteBuffer.allocateDirect(Keys.MAX_LENGTH);
    private boolean[] done = new boolean[MAX_CHAIN];
    private int flags;
    private long version;

    /**
     * How a client is made.
     *
     * @param way of gets
     * @param idle how callers wait for answers
     * @param programNs the longest wait for a program, in nanoseconds, then a call has to
     *     answer; 0 for 200 us over shm://, where this process works it, and 5 ms elsewhere
     * @param longestRead the longest item that is read one-sided, in bytes
     * @param chained READs of a chain, 1 to 64
     * @param places how many items' places are remembered, a power of two
     */
    public record Settings(
            KvWay way, IdleStrategy idle, long programNs, int longestRead, int chained, int places) {

        /** Checks. @throws IllegalArgumentException which names the value */
        public Settings {
            if (chained < 1 || chained > MAX_CHAIN) {
                throw new IllegalArgumentException("chained=" + chained + ": 1 to " + MAX_CHAIN);
            }
            if (Integer.bitCount(places) != 1 || places < 4) {
                throw new IllegalArgumentException("places=" + places + ": a power of two, at least 4");
            }
        }

        /** Settings of a way, everything else by default. */
        public static Settings of(KvWay way) {
            return new Settings(way, IdleStrategy.ADAPTIVE, 0, 8192, 16, 1 << 16);
        }

        /** The same with another wait for programs. */
        public Settings withProgramNs(long longestNs) {
            return new Settings(way, idle, longestNs, longestRead, chained, places);
        }

        /** The same with another way of waiting. */
        public Settings withIdle(IdleStrategy strategy) {
            return new Settings(way, strategy, programNs, longestRead, chained, places);
        }
    }

    private KvClient(RpcClient rpc, boolean ownRpc, Settings settings) {
        this.rpc = rpc;
        this.ownRpc = ownRpc;
        this.way = settings.way();
        this.service = rpc.stub(KvService.class);
        this.links = way == KvWay.RPC ? null : new LookupLinks(rpc.address(), settings, service::info);
        this.offload = way == KvWay.OFFLOAD ? new OffloadGets(links) : null;
        this.oneSided = way == KvWay.ONE_SIDED ? new OneSidedGets(links, settings) : null;
        this.calls = new Calls(service, oneSided);
    }

    /** Connects. @throws RpcException UNAVAILABLE without a server, or for its lookups without a host of them */
    public static KvClient connect(String address, KvWay way) {
        return connect(address, Settings.of(way));
    }

    /** Connects. @throws RpcException as {@link #connect(String, KvWay)} */
    public static KvClient connect(String address, Settings settings) {
        RpcClient rpc = RpcClient.builder(address).idle(settings.idle()).connect();
        try {
            return new KvClient(rpc, true, settings);
        } catch (RuntimeException e) {
            rpc.close();
            throw e;
        }
    }

    /** Makes a client over a connection that it shares, and leaves open. */
    public static KvClient over(RpcClient rpc, Settings settings) {
        return new KvClient(rpc, false, settings);
    }

    /** Returns the store by calls. Any thread. */
    public KvService service() {
        return service;
    }

    /** Returns how gets were answered. */
    public KvCounts counts() {
        return counts;
    }

    /** Returns true while READs and lookups have a connection. */
    public boolean isLinked() {
        return links != null && links.link() != null;
    }

    /**
     * Gets a value.
     *
     * @param into gets it from its position on, which moves behind it; nothing when it has no room for all
     * @return the value's length; -1 when there is no such key
     */
    public int get(byte[] key, ByteBuffer into) {
        if (!find(key)) {
            return -1;
        }
        int length = answer.length;
        if (length <= into.remaining()) {
            into.put(into.position(), answer.bytes, answer.offset, length).position(into.position() + length);
        }
        return length;
    }

    /** Gets a value. @return null when there is no such key */
    public byte[] get(byte[] key) {
        if (!find(key)) {
            return null;
        }
        byte[] value = new byte[answer.length];
        answer.bytes.get(answer.offset, value);
        return value;
    }

    private boolean find(byte[] key) {
        check(key);
        Answered how = Answered.CALLED;
        if (offload != null) {
            how = offload.get(key, answer);
        } else if (oneSided != null) {
            how = oneSided.get(key, answer);
        }
        counts.count(how);
        if (how != Answered.DIRECT && !calls.get(key, answer)) {
            return false;
        }
        flags = answer.flags;
        version = answer.version;
        return true;
    }

    private static void check(byte[] key) {
        if (key.length < 1 || key.length > Keys.MAX_LENGTH) {
            throw new IllegalArgumentException("key length=" + key.length + ": 1 to " + Keys.MAX_LENGTH + " bytes");
        }
    }

    /** Returns the flags of the value that the last get found. */
    public int flags() {
        return flags;
    }

    /** Returns the version of the value that the last get found. */
    public long version() {
        return version;
    }

    /**
     * Gets several values: one-sided by chains of READs, each with one doorbell; what that has no answer for by as few
     * calls as it takes.
     */
    public void getAll(byte[][] keys, int count, KvVisitor visitor) {
        if (done.length < count) {
            done = new boolean[count];
        }
        for (int i = 0; i < count; i++) {
            check(keys[i]);
            done[i] = false;
        }
        if (oneSided != null) {
            int next = 0;
            while (next < count) {
                next = oneSided.getAll(keys, next, count, done, answer, visitor, counts);
            }
        }
        for (int i = 0; i < count && oneSided == null; i++) {
            Answered how = offload == null ? Answered.CALLED
                    : offload.get(keys[i], answer);
            counts.count(how);
            if (how == Answered.DIRECT) {
                done[i] = true;
                visitor.found(i, answer.bytes, answer.offset, answer.length, answer.flags, answer.version);
            }
        }
        calls.getAll(keys, count, done, answer, visitor);
    }

    /**
     * Stores a value in any case.
     *
     * @param value its bytes between position and limit, which are as before when the method returns
     * @param exptime see {@link KvService}
     * @return STORED, TOO_LARGE or OUT_OF_MEMORY
     */
    public StoreResult set(byte[] key, ByteBuffer value, int clientFlags, long exptime) {
        check(key);
        keyBuffer.clear().put(key).flip();
        int position = value.position();
        long stored = service.put(keyBuffer, value, clientFlags, exptime);
        value.position(position);
        return stored >= 0 ? StoreResult.STORED : RESULTS[(int) (-1 - stored)];
    }

    /** Stores a value in any case. @return as {@link #set(byte[], ByteBuffer, int, long)} */
    public StoreResult set(byte[] key, byte[] value, int clientFlags, long exptime) {
        return set(key, ByteBuffer.wrap(value), clientFlags, exptime);
    }

    /** Removes an item. @return true when there was one */
    public boolean delete(byte[] key) {
        check(key);
        return service.delete(key, 0) == StoreResult.DELETED;
    }

    /** Disconnects. Idempotent. */
    @Override
    public void close() {
        if (links != null) {
            links.close();
        }
        if (ownRpc) {
            rpc.close();
        }
    }
}
