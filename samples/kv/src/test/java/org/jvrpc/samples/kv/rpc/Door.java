package org.jvrpc.samples.kv.rpc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jvrpc.testing.history.Register;

/**
 * A client that uses items of the store as registers. A value is a number, and as many bytes as follow from that, so
 * that one which is not whole is known. One thread.
 */
abstract class Door implements AutoCloseable {

    private static final int LONGEST = 300;
    /** More than the offload index takes. */
    private static final int LONG = 5000;

    private record Seen(long number, long version) {
    }

    private final Map<String, Seen> seen = new HashMap<>();

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] value(long number) {
        byte[] head = bytes(number + ":");
        SplittableRandom random = new SplittableRandom(number);
        byte[] value = Arrays.copyOf(head, head.length + (random.nextInt(32) == 0 ? LONG : random.nextInt(LONGEST)));
        Arrays.fill(value, head.length, value.length, (byte) ('a' + number % 26));
        return value;
    }

    /** Returns true for the numbers whose values are of nearly one length. */
    static boolean isUsual(long number) {
        int length = value(number).length;
        return length >= 200 && length < 220;
    }

    /** @throws AssertionError when it is not a whole value */
    static long number(byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(':');
        long number = end < 0 ? -1 : Long.parseLong(text.substring(0, end));
        if (number < 0 || !Arrays.equals(value(number), value)) {
            throw new AssertionError("not whole: " + text);
        }
        return number;
    }

    /** Returns the number that this client saw last in a register, -1 when it saw none. */
    long lastSeen(String key) {
        Seen last = seen.get(key);
        return last == null ? -1 : last.number;
    }

    /** Does it, and returns the answer as {@link Register} has it. */
    Object apply(String key, Register.Call call) {
        if (call instanceof Register.Set set) {
            return set(key, set.value());
        } else if (call instanceof Register.Add add) {
            return add(key, add.value());
        } else if (call instanceof Register.Delete) {
            return delete(key);
        } else if (call instanceof Register.Swap swap) {
            return swap(key, seen.get(key).version, swap.value());
        }
        return get(key);
    }

    /** Notes what a get found, for swaps. */
    final Object found(String key, byte[] value, long version) {
        Seen now = new Seen(number(value), version);
        seen.put(key, now);
        return now.number;
    }

    static Object answer(String result) {
        return switch (result) {
            case "STORED", "DELETED" -> Register.DONE;
            case "EXISTS", "NOT_STORED" -> Register.REFUSED;
            case "NOT_FOUND" -> Register.ABSENT;
            default -> throw new AssertionError(result);
        };
    }

    abstract Object get(String key);

    abstract Object set(String key, long number);

    abstract Object add(String key, long number);

    abstract Object swap(String key, long version, long number);

    abstract Object delete(String key);

    @Override
    public abstract void close();
}
