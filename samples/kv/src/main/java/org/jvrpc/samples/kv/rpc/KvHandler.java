package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.kv.store.Counter;
import org.jvrpc.samples.kv.store.ItemView;
import org.jvrpc.samples.kv.store.ItemVisitor;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreResult;
import org.jvrpc.samples.kv.store.StoreStatistics;

/** The service over a store. Any thread: the poller, and the executor for heavy methods and long values. */
final class KvHandler implements KvService {

    private static final int LENGTH_BYTES = 2;

    private final Store store;
    private final KvInfo info;
    private final ThreadLocal<Scratch> scratches = ThreadLocal.withInitial(Scratch::new);

    KvHandler(Store store, KvInfo info) {
        this.store = store;
        this.info = info;
    }

    /** What a thread reuses, so that calls allocate nothing. */
    private static final class Scratch implements ItemVisitor {

        final StoreRequest request = new StoreRequest();
        private ByteBuffer into;
        private int at;
        private int written;
        private byte[] key;
        private boolean placeOnly;
        private KvItem item;
        private KvLocation location;

        StoreRequest key(ByteBuffer buffer, int offset, int length) {
            if (length < 1 || length > Keys.MAX_LENGTH) {
                throw new RpcException(Status.INVALID_ARGUMENT,
                        "key length=" + length + ": 1 to " + Keys.MAX_LENGTH + " bytes");
            }
            return request.key(buffer, offset, length);
        }

        StoreRequest key(byte[] bytes) {
            key = bytes;
            return key(ByteBuffer.wrap(bytes), 0, bytes.length);
        }

        @Override
        public void visit(ItemView view) {
            if (into != null) {
                write(view);
            } else if (placeOnly) {
                location = new KvLocation(view.address(), view.length(), view.version());
            } else {
                byte[] value = new byte[view.valueLength()];
                view.copyValue(ByteBuffer.wrap(value), 0);
                item = new KvItem(key, value, view.flags(), view.expiry(), view.version());
            }
        }

        private void write(ItemView view) {
            int wanted = FetchLayout.VALUE + view.valueLength();
            if (wanted > into.limit() - at) {
                written = -wanted;
                return;
            }
            into.putLong(at + FetchLayout.ADDRESS, view.address());
            into.putLong(at + FetchLayout.VERSION, view.version());
            into.putInt(at + FetchLayout.ITEM_LENGTH, view.length());
            into.putInt(at + FetchLayout.FLAGS, view.flags());
            into.putInt(at + FetchLayout.EXPIRY, (int) view.expiry());
            into.putInt(at + FetchLayout.VALUE_LENGTH, view.valueLength());
            view.copyValue(into, at + FetchLayout.VALUE);
            written = wanted;
        }

        /** Takes items as objects, or only where they lie. */
        Scratch objects(boolean onlyPlaces) {
            into = null;
            placeOnly = onlyPlaces;
            return this;
        }

        /** Takes items into a buffer. */
        Scratch into(ByteBuffer buffer, int offset) {
            into = buffer;
            at = offset;
            return this;
        }
    }

    @Override
    public KvInfo info() {
        return info;
    }

    @Override
    public KvItem get(byte[] key) {
        Scratch scratch = scratches.get().objects(false);
        return store.get(scratch.key(key), scratch) == StoreResult.HIT ? scratch.item : null;
    }

    @Override
    public List<KvItem> getAll(List<byte[]> keys) {
        List<KvItem> found = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            KvItem item = get(key);
            if (item != null) {
                found.add(item);
            }
        }
        return found;
    }

    @Override
    public int fetch(ByteBuffer key, ByteBuffer answer) {
        answer.order(ByteOrder.LITTLE_ENDIAN);
        int begin = answer.position();
        int written = fetch(key, key.position(), key.remaining(), answer, begin);
        answer.position(begin + Math.max(0, written));
        return written;
    }

    private int fetch(ByteBuffer key, int offset, int length, ByteBuffer answer, int at) {
        Scratch scratch = scratches.get().into(answer, at);
        StoreResult result = store.get(scratch.key(key, offset, length), scratch);
        return result == StoreResult.HIT ? scratch.written : FetchLayout.NOT_FOUND;
    }

    @Override
    public int fetchAll(ByteBuffer keys, ByteBuffer answers) {
        keys.order(ByteOrder.LITTLE_ENDIAN);
        answers.order(ByteOrder.LITTLE_ENDIAN);
        int answered = 0;
        int from = keys.position();
        while (from + LENGTH_BYTES <= keys.limit()) {
            int length = keys.getShort(from) & 0xffff;
            from += LENGTH_BYTES;
            int at = answers.position();
            if (length > keys.limit() - from || answers.remaining() < Integer.BYTES) {
                break;
            }
            int written = fetch(keys, from, length, answers, at + Integer.BYTES);
            if (written < 0) {
                break;
            }
            answers.putInt(at, written);
            answers.position(at + Integer.BYTES + written);
            from += length;
            answered++;
        }
        return answered;
    }

    @Override
    public KvLocation locate(byte[] key) {
        Scratch scratch = scratches.get().objects(true);
        return store.get(scratch.key(key), scratch) == StoreResult.HIT ? scratch.location : null;
    }

    @Override
    public KvStored store(StoreMode mode, byte[] key, byte[] value, int flags, long exptime, long version) {
        StoreRequest request = scratches.get().key(key).value(ByteBuffer.wrap(value), 0, value.length).flags(flags)
                .expiry(store.expiryOf(exptime)).version(version);
        StoreResult result = store.store(mode, request);
        return new KvStored(result, result == StoreResult.STORED ? request.resultVersion() : 0);
    }

    @Override
    public long put(ByteBuffer key, ByteBuffer value, int flags, long exptime) {
        StoreRequest request = scratches.get().key(key, key.position(), key.remaining())
                .value(value, value.position(), value.remaining()).flags(flags).expiry(store.expiryOf(exptime));
        StoreResult result = store.store(StoreMode.SET, request);
        return result == StoreResult.STORED ? request.resultVersion() : -1 - result.ordinal();
    }

    @Override
    public KvNumber add(byte[] key, long delta, boolean downwards, long initial, long exptime) {
        Scratch scratch = scratches.get();
        StoreRequest request = scratch.key(key).delta(delta, downwards);
        if (exptime != -1) {
            request.vivify(initial, store.expiryOf(exptime));
        }
        StoreResult result = store.arithmetic(request, null);
        boolean stored = result == StoreResult.STORED;
        return new KvNumber(result, stored ? request.resultNumber() : 0, stored ? request.resultVersion() : 0);
    }

    @Override
    public StoreResult touch(byte[] key, long exptime) {
        return store.touch(scratches.get().key(key).expiry(store.expiryOf(exptime)), null);
    }

    @Override
    public StoreResult delete(byte[] key, long version) {
        return store.delete(scratches.get().key(key).version(version));
    }

    @Override
    public void flushAll(long exptime) {
        store.flushAll(exptime);
    }

    @Override
    public KvStatistics statistics() {
        StoreStatistics now = store.statistics();
        return new KvStatistics(now.items(), now.itemBytes(), now.offloadEntries(), now.get(Counter.EVICTIONS),
                now.get(Counter.CMD_GET), now.get(Counter.GET_HITS));
    }
}
