package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Numbers in values. As in memcached, a number that gets shorter keeps its place and is filled up with spaces. */
final class Arithmetic {

    private static final int MAX_DIGITS = 24;

    private final Memory memory;
    private final Numbers numbers = new Numbers();
    private final ByteBuffer digits = ByteBuffer.allocateDirect(MAX_DIGITS).order(ByteOrder.LITTLE_ENDIAN);
    private int length;

    Arithmetic(Memory memory) {
        this.memory = memory;
    }

    /** Computes the request's result from a value. @return false when the value is no number */
    boolean compute(long value, int valueLength, StoreRequest request) {
        ByteBuffer bytes = memory.view(value, valueLength);
        int from = bytes.position();
        if (!numbers.readUnsigned(bytes, from, from + valueLength)) {
            return false;
        }
        long number = numbers.value();
        if (!request.decrement) {
            number += request.delta;
        } else {
            number = Long.compareUnsigned(request.delta, number) > 0 ? 0 : number - request.delta;
        }
        set(number, request);
        return true;
    }

    void set(long number, StoreRequest request) {
        request.resultNumber = number;
        length = Numbers.write(number, digits, 0);
        request.resultLength = length;
    }

    int length() {
        return length;
    }

    void write(long value, int valueLength) {
        memory.copyIn(value, digits, 0, length);
        for (int i = length; i < valueLength; i++) {
            memory.putByte(value + i, ' ');
        }
    }
}
