package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;

/**
 * The arguments of a command, and its results. Reused, so that commands allocate nothing: {@link #key} begins a new one
 * and sets everything else to nothing. One thread.
 */
public final class StoreRequest {

    ByteBuffer key;
    int keyOffset;
    int keyLength;
    long hash;
    ByteBuffer value;
    int valueOffset;
    int valueLength;
    int flags;
    int expiry;
    long version;
    long delta;
    long initial;
    boolean decrement;
    boolean vivify;
    int vivifyExpiry;
    boolean newExpiry;
    long recacheBefore;
    boolean recacheByOld;
    boolean stale;
    boolean noUpdate;
    boolean keyBinary;
    boolean asTouch;
    boolean uncounted;

    long resultVersion;
    long resultNumber;
    int resultLength;
    boolean created;
    int expiryBefore;

    /**
     * Begins a command on a key.
     *
     * @throws IllegalArgumentException for a length that no key has
     */
    public StoreRequest key(ByteBuffer buffer, int offset, int length) {
        if (length < 1 || length > Keys.MAX_LENGTH) {
            throw new IllegalArgumentException("key length=" + length + ": 1 to " + Keys.MAX_LENGTH + " bytes");
        }
        key = buffer;
        keyOffset = offset;
        keyLength = length;
        value = null;
        valueOffset = 0;
        valueLength = 0;
        flags = 0;
        expiry = 0;
        version = 0;
        delta = 1;
        initial = 0;
        decrement = false;
        vivify = false;
        newExpiry = false;
        recacheBefore = 0;
        recacheByOld = false;
        stale = false;
        noUpdate = false;
        keyBinary = false;
        asTouch = false;
        uncounted = false;
        return this;
    }

    /** Computes the key's hash, which only the store knows how. */
    void hash(Keys keys) {
        hash = keys.hash(key, keyOffset, keyLength);
    }

    /** The key lies in another buffer now, byte for byte the same. */
    public StoreRequest keyAt(ByteBuffer buffer, int offset) {
        key = buffer;
        keyOffset = offset;
        return this;
    }

    /** Sets the value to store. */
    public StoreRequest value(ByteBuffer buffer, int offset, int length) {
        value = buffer;
        valueOffset = offset;
        valueLength = length;
        return this;
    }

    /** Sets the client flags to store. */
    public StoreRequest flags(int clientFlags) {
        flags = clientFlags;
        return this;
    }

    /** Sets the expiry to store, from {@link Store#expiryOf}; for touches too. */
    public StoreRequest expiry(int unixSeconds) {
        expiry = unixSeconds;
        newExpiry = true;
        return this;
    }

    /** Demands that the item has this version; 0 demands nothing. */
    public StoreRequest version(long demanded) {
        version = demanded;
        return this;
    }

    /** Sets by how much a number changes; 1 when this is not called. */
    public StoreRequest delta(long by, boolean downwards) {
        delta = by;
        decrement = downwards;
        return this;
    }

    /** Has a missing item made: for numbers with this value, else empty. */
    public StoreRequest vivify(long number, int unixSeconds) {
        vivify = true;
        initial = number;
        vivifyExpiry = unixSeconds;
        return this;
    }

    /** Has the token given out when the item expires before a time; by its expiry so far when a new one comes too. */
    public StoreRequest recacheBefore(long unixSeconds, boolean byOldExpiry) {
        recacheBefore = unixSeconds;
        recacheByOld = byOldExpiry;
        return this;
    }

    /** Deletes by marking out of date; stores over a newer version as out of date. */
    public StoreRequest stale(boolean on) {
        stale = on;
        return this;
    }

    /** Leaves access time and marks as they are. */
    public StoreRequest noUpdate(boolean on) {
        noUpdate = on;
        return this;
    }

    /** Notes that the key came in base64. */
    public StoreRequest keyBinary(boolean on) {
        keyBinary = on;
        return this;
    }

    /** Counts as nothing: not a get of the statistics. */
    public StoreRequest uncounted(boolean on) {
        uncounted = on;
        return this;
    }

    /** After storing: returns the version that the item has now. */
    public long resultVersion() {
        return resultVersion;
    }

    /** After arithmetic: returns the new number. */
    public long resultNumber() {
        return resultNumber;
    }

    /** After arithmetic or a meta get: returns true when the item was made. */
    public boolean isCreated() {
        return created;
    }

    /** After a meta get or arithmetic: returns the expiry that the item had before, in seconds of Unix time. */
    public long expiryBefore() {
        return Integer.toUnsignedLong(expiryBefore);
    }
}
