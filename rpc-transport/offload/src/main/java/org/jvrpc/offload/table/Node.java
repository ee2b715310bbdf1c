package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Layout of a list's node, packed so that one READ of it fills in the WRs that follow. Its first 24 bytes are the head
 * of the READ of the next node, with the key where a card that does not check them leaves room: a compare-and-swap that
 * finds the key makes a long NOP of that READ, which jumps over the rest of the walk. The next 20 bytes are what the
 * answer needs. The last image is for walks without that jump, whose answers sleep as NOPs. Big-endian.
 *
 * <pre>
 *  0 key 47…24:24 | opcode, READ:8 | key 23…0:24 | ds, 4:8
 *  8 zero:64 | 16 address of the next node:64
 * 24 zero:24 | opcode, WRITE:8 | zero:24 | ds, 3:8
 * 32 address of the value:64 | 40 length of the value:32
 * 44 zero:32
 * 48 key 47…24:24 | opcode, NOP:8 | key 23…0:24 | ds, 3:8
 * 56 the owner's:64
 * </pre>
 * The last node of a list is followed by its end, which has the key 0, a NOP for an answer, and is followed by itself.
 */
public final class Node {

    /** Bytes of a node, and its alignment. */
    public static final int BYTES = 64;
    /** Bytes of the next READ's head. */
    public static final int HEAD_BYTES = 24;
    /** Bytes of what the answer needs: its image, the value's address, its length. */
    public static final int ANSWER_BYTES = 20;
    /** Offset of the next node's address. */
    public static final int NEXT = 16;
    /** Offset of the answer's image. */
    public static final int ANSWER = 24;
    /** Offset of the value's address. */
    public static final int ADDRESS = 32;
    /** Offset of the value's length. */
    public static final int LENGTH = 40;
    /** Offset of the sleeping answer's image. */
    public static final int SLEEPING = 48;
    /** Offset of 8 bytes for whoever owns the list. */
    public static final int OWNER = 56;
    /** The key of the end; nodes have others. */
    public static final long END_KEY = 0;
    /** The first 8 bytes of a WRITE with one SGE, of a card that does not check the rest. */
    public static final long LIVE_ANSWER = 0x08L << 32 | 3;

    private static final long READ = 0x10L << 32 | 4;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Node() {
    }

    /** Returns the image of a key as the READ of the next node has it. */
    public static long readImage(long key) {
        return key(key) | READ;
    }

    /** Returns the image of a key as an answer that sleeps has it. */
    public static long sleepingImage(long key) {
        return Bucket.image(key);
    }

    private static long key(long key) {
        return Bucket.image(key) & ~(0xffL << 32 | 0xff);
    }

    /** Reads the key of a node; acquire. */
    public static long key(ByteBuffer memory, int at) {
        return Bucket.key((long) LONG.getAcquire(memory, at));
    }

    /** Reads the address of the next node; acquire. */
    public static long next(ByteBuffer memory, int at) {
        return (long) LONG.getAcquire(memory, at + NEXT);
    }

    /** Reads the value's address. */
    public static long address(ByteBuffer memory, int at) {
        return (long) LONG.getOpaque(memory, at + ADDRESS);
    }

    /** Reads the value's length in bytes. */
    public static int length(ByteBuffer memory, int at) {
        return (int) INT.getOpaque(memory, at + LENGTH);
    }

    /** Writes all of a node that nobody reads yet. */
    public static void write(ByteBuffer memory, int at, long key, long next, long address, int length) {
        LONG.set(memory, at, readImage(key));
        LONG.set(memory, at + 8, 0L);
        LONG.set(memory, at + NEXT, next);
        LONG.set(memory, at + ANSWER, LIVE_ANSWER);
        value(memory, at, address, length);
        INT.set(memory, at + LENGTH + 4, 0);
        LONG.set(memory, at + SLEEPING, sleepingImage(key));
    }

    /** Writes an end, which is followed by itself. @param address of the end */
    public static void writeEnd(ByteBuffer memory, int at, long address) {
        write(memory, at, END_KEY, address, 0, 0);
        LONG.set(memory, at + ANSWER, Bucket.EMPTY);
    }

    /** Points a node to its next; release, after that was written. */
    public static void link(ByteBuffer memory, int at, long next) {
        LONG.setRelease(memory, at + NEXT, next);
    }

    /**
     * Points a node to another value, which is written already; a program that reads meanwhile may see the address of
     * one with the length of the other, so that values must tell whose and how long they are.
     */
    public static void value(ByteBuffer memory, int at, long address, int length) {
        LONG.setRelease(memory, at + ADDRESS, address);
        INT.setRelease(memory, at + LENGTH, length);
    }
}
