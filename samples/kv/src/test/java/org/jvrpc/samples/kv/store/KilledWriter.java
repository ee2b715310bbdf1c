package org.jvrpc.samples.kv.store;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * A process that stores until it is killed. Arguments: file, its length, the first number. Value number n belongs to
 * key n % KEYS; each number is told on standard output when it is stored.
 */
final class KilledWriter {

    static final int KEYS = 300;

    private KilledWriter() {
    }

    static byte[] key(long number) {
        return ("key-" + number % KEYS).getBytes(StandardCharsets.US_ASCII);
    }

    /** The number, and so many bytes as follow from it. */
    static byte[] value(long number) {
        byte[] head = (number + ":").getBytes(StandardCharsets.US_ASCII);
        byte[] value = Arrays.copyOf(head, head.length + new Random(number).nextInt(700));
        Arrays.fill(value, head.length, value.length, (byte) number);
        return value;
    }

    static long numberOf(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        return Long.parseLong(text.substring(0, text.indexOf(':')));
    }

    public static void main(String[] args) throws IOException {
        Store store = Store.attach(new MappedRegion(Path.of(args[0]), Integer.parseInt(args[1])), Clock.system());
        OutputStream told = new BufferedOutputStream(System.out, 16);
        for (long number = Long.parseLong(args[2]);; number++) {
            if (number % 7 == 0) {
                store.delete(key(number));
            }
            if (store.set(key(number), value(number), 0, 0) != StoreResult.STORED) {
                throw new IllegalStateException("not stored: number=" + number);
            }
            told.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
            told.flush();
        }
    }
}
