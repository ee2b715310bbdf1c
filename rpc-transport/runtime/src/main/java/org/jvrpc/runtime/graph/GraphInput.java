package org.jvrpc.runtime.graph;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/**
 * Bytes of an object graph that were written by somebody who may lie about lengths: nothing is allocated for a length
 * that the bytes that are left, or what was claimed before, cannot justify. One thread.
 */
final class GraphInput extends Input {

    /** Elements that a graph may have beyond its bytes: a list of nulls takes no bytes for them. */
    static final int FREE_ELEMENTS = 1 << 16;
    private static final int KEPT_CHARS = 1 << 14;

    /** Elements that arrays, collections and strings of the graph may still claim; each takes a byte at least. */
    private long claims;

    /** Begins to read a graph. */
    void begin(byte[] bytes) {
        setBuffer(bytes);
        claims = (long) bytes.length + FREE_ELEMENTS;
    }

    /** Lets the graph go, and what it made this grow to. */
    void letGo() {
        setBuffer(new byte[0]);
        if (chars.length > KEPT_CHARS) {
            chars = new char[32];
        }
    }

    /** Claims the elements of an array, a collection or a map whose length was read. */
    void claim(int elements) {
        claims -= elements;
        if (elements < 0 || claims < 0) {
            throw new KryoException("graph claims more elements than its bytes hold: elements=" + elements
                    + " bytes=" + limit() + " left=" + (limit() - position()));
        }
    }

    /** Checks that so many elements, of so many bytes each at least, can be there. */
    private int fit(int elements, int bytes) {
        if (elements < 0 || (long) elements * bytes > limit() - position()) {
            throw new KryoException("graph says more than its bytes hold: elements=" + elements + " bytes=" + limit()
                    + " left=" + (limit() - position()));
        }
        return elements;
    }

    /** Lengths of collections and of strings that are not ASCII, which are written one higher. */
    @Override
    public int readVarIntFlag(boolean optimizePositive) {
        int length = super.readVarIntFlag(optimizePositive);
        claim(length == 0 ? 0 : length - 1);
        return length;
    }

    @Override
    public byte[] readBytes(int length) {
        return super.readBytes(fit(length, 1));
    }

    @Override
    public int[] readInts(int length) {
        return super.readInts(fit(length, Integer.BYTES));
    }

    @Override
    public int[] readInts(int length, boolean optimizePositive) {
        return super.readInts(fit(length, 1), optimizePositive);
    }

    @Override
    public long[] readLongs(int length) {
        return super.readLongs(fit(length, Long.BYTES));
    }

    @Override
    public long[] readLongs(int length, boolean optimizePositive) {
        return super.readLongs(fit(length, 1), optimizePositive);
    }

    @Override
    public float[] readFloats(int length) {
        return super.readFloats(fit(length, Float.BYTES));
    }

    @Override
    public double[] readDoubles(int length) {
        return super.readDoubles(fit(length, Double.BYTES));
    }

    @Override
    public short[] readShorts(int length) {
        return super.readShorts(fit(length, Short.BYTES));
    }

    @Override
    public char[] readChars(int length) {
        return super.readChars(fit(length, Character.BYTES));
    }

    @Override
    public boolean[] readBooleans(int length) {
        return super.readBooleans(fit(length, 1));
    }
}
