package org.jvrpc.testing.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes inputs of others, by a seed: equal seeds make equal inputs. */
final class Mutator {

    static final int MAX_BYTES = 4096;
    private static final int MAX_NOISE = 512;
    private static final int MAX_CHANGES = 6;
    private static final int[] EXTREMES = {
        -1, 0, 1, 0x7fffffff, 0x80000000, 0x7ffffff0, 0xffff, 0x10000, 0x100, 0xff, 0x80, 0x01000000};

    private final SplittableRandom random;
    private final List<byte[]> corpus;

    Mutator(long seed, List<byte[]> corpus) {
        this.random = new SplittableRandom(seed);
        this.corpus = corpus;
    }

    /** Returns noise now and then, mostly one of the corpus that was changed in some places. */
    byte[] next() {
        if (corpus.isEmpty() || random.nextInt(16) == 0) {
            return noise(random.nextInt(MAX_NOISE));
        }
        byte[] input = any();
        for (int changes = 1 + random.nextInt(MAX_CHANGES); changes > 0; changes--) {
            input = change(input);
        }
        return input.length > MAX_BYTES ? Arrays.copyOf(input, MAX_BYTES) : input;
    }

    private byte[] any() {
        return corpus.get(random.nextInt(corpus.size())).clone();
    }

    private byte[] noise(int length) {
        byte[] noise = new byte[length];
        int bound = random.nextBoolean() ? 256 : 4;
        for (int i = 0; i < length; i++) {
            noise[i] = (byte) random.nextInt(bound);
        }
        return noise;
    }

    private byte[] change(byte[] input) {
        int at = random.nextInt(input.length + 1);
        int length = random.nextInt(Math.min(64, input.length - at) + 1);
        return switch (random.nextInt(9)) {
            case 0 -> Arrays.copyOf(input, at);
            case 1 -> spliced(input, at, noise(random.nextInt(32)), at);
            case 2 -> spliced(input, at, new byte[0], at + length);
            case 3 -> spliced(input, at, Arrays.copyOfRange(input, at, at + length), at);
            case 4 -> {
                byte[] other = any();
                yield spliced(input, at, Arrays.copyOfRange(other, random.nextInt(other.length + 1), other.length),
                        input.length);
            }
            case 5 -> number(input, at);
            default -> bits(input);
        };
    }

    /** Returns an input with other bytes in the place of those from one index to another. */
    private static byte[] spliced(byte[] input, int from, byte[] with, int to) {
        byte[] spliced = Arrays.copyOf(input, from + with.length + input.length - to);
        System.arraycopy(with, 0, spliced, from, with.length);
        System.arraycopy(input, to, spliced, from + with.length, input.length - to);
        return spliced;
    }

    /** Puts a number there that programs often get wrong, in either order of bytes. */
    private byte[] number(byte[] input, int at) {
        int value = EXTREMES[random.nextInt(EXTREMES.length)];
        value = random.nextBoolean() ? value : Integer.reverseBytes(value);
        int bytes = 1 << random.nextInt(3);
        for (int i = 0; i < bytes && at + i < input.length; i++) {
            input[at + i] = (byte) (value >>> 8 * i);
        }
        return input;
    }

    private byte[] bits(byte[] input) {
        if (input.length > 0) {
            int at = random.nextInt(input.length);
            input[at] = (byte) (random.nextBoolean() ? random.nextInt() : input[at] ^ 1 << random.nextInt(8));
        }
        return input;
    }
}
