package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.samples.kv.store.StoreResult;

/**
 * The store by ordinary calls. Keys are 1 to 250 bytes, values up to 1 MiB. An {@code exptime} is memcached's: 0 never,
 * up to 30 days in seconds from now, then Unix time, negative is over already.
 *
 * <p>A key of another length fails with INVALID_ARGUMENT.
 */
@RpcService
public interface KvService {

    /** Says where and how the store may be read without calls. */
    KvInfo info();

    /** Returns an item, or null. */
    @Nullable KvItem get(byte[] key);

    /** Returns the items that there are, in the order of their keys. */
    List<KvItem> getAll(List<byte[]> keys);

    /**
     * Reads an item into a caller's buffer, without an allocation on either side; see {@link FetchLayout} for what is
     * written.
     *
     * @return the bytes written; {@link FetchLayout#NOT_FOUND} without an item; when the buffer is too short, nothing
     *     is written, and what is returned is its wanted length, negated
     */
    int fetch(@InPlace ByteBuffer key, @Into ByteBuffer answer);

    /**
     * Reads several items into a caller's buffer.
     *
     * @param keys for each a length:16, little-endian, and the key
     * @return the keys whose answers are in the buffer, from the first on, each the length:32, little-endian, and as
     *     {@link #fetch} writes it; the length is {@link FetchLayout#NOT_FOUND} where there is no item
     */
    int fetchAll(@InPlace ByteBuffer keys, @Into ByteBuffer answers);

    /** Says where an item lies, for who READs it; null when there is none. */
    @Nullable KvLocation locate(byte[] key);

    /** Stores. @param version demanded by CAS; 0 otherwise */
    KvStored store(StoreMode mode, byte[] key, byte[] value, int flags, long exptime, long version);

    /**
     * Stores in any case, without an allocation on either side.
     *
     * @return the version that the item has now, or the negated ordinal of a {@link StoreResult}, less one
     */
    long put(@InPlace ByteBuffer key, @InPlace ByteBuffer value, int flags, long exptime);

    /**
     * Adds to a number, or subtracts, which ends at 0.
     *
     * @param initial what a missing item is made with; none is made when {@code exptime} is -1
     */
    KvNumber add(byte[] key, long delta, boolean downwards, long initial, long exptime);

    /** Gives an item another expiry. @return HIT, NOT_FOUND or OUT_OF_MEMORY */
    StoreResult touch(byte[] key, long exptime);

    /** Removes an item. @param version demanded; 0 demands nothing @return DELETED, NOT_FOUND or EXISTS */
    StoreResult delete(byte[] key, long version);

    /** Removes all items, at once or in so many seconds. */
    @RpcMethod(heavy = true)
    void flushAll(long exptime);

    /** Says what the store holds and counts. */
    @RpcMethod(heavy = true)
    KvStatistics statistics();
}
