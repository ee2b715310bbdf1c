package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.Numbers;

/**
 * The words of a line, where they lie. As in memcached a line has 23 at most, what is behind them is one more; a zero
 * byte ends the line. Reused; one thread.
 */
final class Tokens {

    /** The most that are told apart. */
    static final int MAX = 23;

    private static final byte[] NOREPLY = Ascii.bytes("noreply");

    private final int[] start = new int[MAX + 1];
    private final int[] length = new int[MAX + 1];
    private final Numbers numbers = new Numbers();
    private ByteBuffer line;
    private int count;

    void parse(ByteBuffer buffer, int from, int to) {
        line = buffer;
        count = 0;
        int at = from;
        while (at < to && count < MAX) {
            byte b = buffer.get(at);
            if (b == ' ') {
                at++;
            } else if (b == 0) {
                return;
            } else {
                int begin = at;
                while (at < to && buffer.get(at) != ' ' && buffer.get(at) != 0) {
                    at++;
                }
                start[count] = begin;
                length[count++] = at - begin;
            }
        }
    }

    ByteBuffer line() {
        return line;
    }

    int count() {
        return count;
    }

    int start(int token) {
        return start[token];
    }

    int length(int token) {
        return length[token];
    }

    int end(int token) {
        return start[token] + length[token];
    }

    int at(int token, int index) {
        return line.get(start[token] + index);
    }

    boolean is(int token, byte[] word) {
        if (length[token] != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (line.get(start[token] + i) != word[i]) {
                return false;
            }
        }
        return true;
    }

    boolean startsWith(int token, byte[] word) {
        if (length[token] < word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (line.get(start[token] + i) != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns a word of up to 8 bytes as a number, the first byte lowest; 0 for longer ones. */
    long word(int token) {
        if (length[token] > Long.BYTES) {
            return 0;
        }
        long word = 0;
        for (int i = length[token] - 1; i >= 0; i--) {
            word = word << 8 | line.get(start[token] + i);
        }
        return word;
    }

    boolean endsWithNoreply() {
        return is(count - 1, NOREPLY);
    }

    boolean readUnsigned(int token) {
        return numbers.readUnsigned(line, start[token], end(token));
    }

    boolean readUnsigned32(int token) {
        return numbers.readUnsigned32(line, start[token], end(token));
    }

    boolean readSigned32(int token) {
        return numbers.readSigned32(line, start[token], end(token));
    }

    /** The same for what stands behind a token's first letter. */
    boolean readUnsignedBehind(int token) {
        return numbers.readUnsigned(line, start[token] + 1, end(token));
    }

    boolean readUnsigned32Behind(int token) {
        return numbers.readUnsigned32(line, start[token] + 1, end(token));
    }

    boolean readSigned32Behind(int token) {
        return numbers.readSigned32(line, start[token] + 1, end(token));
    }

    /** Returns the number that was read last. */
    long number() {
        return numbers.value();
    }

    String string(int token) {
        byte[] bytes = new byte[length[token]];
        line.get(start[token], bytes);
        return Ascii.string(bytes);
    }
}
