package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;

/** An item of the store, during a visit. Reused by the store. */
public final class ItemView {

    private final Memory memory;
    private long item;
    private boolean won;
    private int marks;
    private long accessed;

    ItemView(Memory memory) {
        this.memory = memory;
    }

    /** Shows an item as it was when the command met it: marks and access time are those before the command's own. */
    ItemView of(long offset, int marksBefore, long accessedBefore, boolean token) {
        item = offset;
        marks = marksBefore;
        accessed = accessedBefore;
        won = token;
        return this;
    }

    /** Returns where a peer reads the item, in the device's address space. */
    public long address() {
        return memory.address() + item;
    }

    /** Returns the bytes from {@link #address()} to the value's end. */
    public int length() {
        return Item.length(keyLength(), valueLength());
    }

    /** Returns the key's length in bytes. */
    public int keyLength() {
        return memory.getShort(item + Item.KEY_LENGTH);
    }

    /** Returns the value's length in bytes. */
    public int valueLength() {
        return memory.getInt(item + Item.VALUE_LENGTH);
    }

    /** Returns the client flags. */
    public int flags() {
        return memory.getInt(item + Item.FLAGS);
    }

    /** Returns the version, memcached's "cas unique". */
    public long version() {
        return memory.getLong(item + Item.VERSION);
    }

    /** Returns the expiry in seconds of Unix time, 0 for never. */
    public long expiry() {
        return Integer.toUnsignedLong(memory.getInt(item + Item.EXPIRY));
    }

    /** Returns when the item was stored or read before this command, in seconds of Unix time. */
    public long accessed() {
        return accessed;
    }

    /** Returns true when the item was read before this command. */
    public boolean isFetched() {
        return (marks & Item.FETCHED) != 0;
    }

    /** Returns true when a client marked it out of date. */
    public boolean isStale() {
        return (marks & Item.STALE) != 0;
    }

    /** Returns true when another client was told to renew it before this command. */
    public boolean isTokenSent() {
        return (marks & Item.TOKEN_SENT) != 0;
    }

    /** Returns true when the key came in base64. */
    public boolean isKeyBinary() {
        return (marks & Item.KEY_BINARY) != 0;
    }

    /** Returns true when this command's client is the one that is to renew the item. */
    public boolean isTokenWon() {
        return won;
    }

    /** Returns the number of the size class, from 1 on. */
    public int sizeClass() {
        return memory.getByte(item + Item.CLASS) + 1;
    }

    /** Copies the key, by absolute index. */
    public void copyKey(ByteBuffer to, int at) {
        memory.copyOut(item + Item.KEY, to, at, keyLength());
    }

    /** Copies the value, by absolute index. */
    public void copyValue(ByteBuffer to, int at) {
        memory.copyOut(item + Item.KEY + keyLength(), to, at, valueLength());
    }
}
