package org.jvrpc.benchmarks.jvrpc;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.benchmarks.harness.Pipeline;

/** Random calls of one thread, synchronous and asynchronous ones mixed, each answer compared with the right one. */
final class SoakPipeline implements Pipeline {

    private static final int LONG_BYTES = 300_000;
    private static final String[] SYMBOLS = {
        "", "JVRPC", "\u00e4\u00f6\u00fc", "\u65e5\u672c", "\ud83d\ude80", "\ud83d"
    };

    /** A call under way and its right answer. */
    private record Pending(String what, CompletableFuture<?> answer, Object right) {
    }

    private final SoakService stub;
    private final SoakServiceAsync async;
    private final SoakService local = new SoakHandler();
    private final Random random;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    SoakPipeline(SoakService stub, SoakServiceAsync async, long seed) {
        this.stub = stub;
        this.async = async;
        this.random = new Random(seed);
    }

    @Override
    public long run(int window, long endNs) throws Exception {
        long calls = 0;
        while (System.nanoTime() < endNs) {
            if (random.nextBoolean()) {
                callOne();
            } else {
                startOne();
            }
            calls++;
            if (pending.size() >= window || random.nextInt(window) == 0) {
                settle(random.nextInt(pending.size() + 1));
            }
        }
        settle(pending.size());
        return calls;
    }

    private void callOne() throws Exception {
        switch (random.nextInt(9)) {
            case 0 -> sum();
            case 1 -> bytes();
            case 2 -> text();
            case 3 -> list();
            case 4 -> map();
            case 5 -> doubles();
            case 6 -> halves();
            case 7 -> buffers();
            default -> mixed();
        }
    }

    private void sum() {
        long a = random.nextLong();
        long b = random.nextLong();
        check("add", local.add(a, b), stub.add(a, b));
    }

    private void bytes() {
        byte[] payload = randomBytes();
        check("reverse length=" + payload.length, ByteBuffer.wrap(local.reverse(payload)),
                ByteBuffer.wrap(stub.reverse(payload)));
    }

    private void text() {
        String text = randomText();
        check("twice", local.twice(text), stub.twice(text));
    }

    private void list() {
        List<BenchOrder> orders = randomOrders();
        check("digest", local.digest(orders), stub.digest(orders));
    }

    private void map() {
        List<BenchOrder> orders = randomOrders();
        Map<Long, BenchOrder> right = local.more(orders);
        check("more", right, stub.more(orders));
    }

    private void doubles() {
        double[] values = random.doubles(random.nextInt(50)).toArray();
        Optional<Double> right = local.largest(values);
        check("largest", right, stub.largest(values));
    }

    private void halves() {
        int value = random.nextInt();
        check("half", half(local, value), half(stub, value));
    }

    private static Object half(SoakService service, int value) {
        try {
            return service.half(value);
        } catch (SoakService.OddNumberException e) {
            return e.getMessage();
        }
    }

    private void buffers() {
        byte[] payload = randomBytes();
        ByteBuffer right = ByteBuffer.allocate(payload.length);
        local.increment(ByteBuffer.wrap(payload), right);
        ByteBuffer answer = random.nextBoolean()
                ? ByteBuffer.allocate(payload.length) : ByteBuffer.allocateDirect(payload.length);
        check("increment", payload.length, stub.increment(ByteBuffer.wrap(payload), answer));
        check("increment bytes", right.flip(), answer.flip());
    }

    private void mixed() {
        long value = random.nextLong();
        check("mix", local.mix(value), stub.mix(value));
    }

    private void startOne() {
        switch (random.nextInt(4)) {
            case 0 -> {
                long a = random.nextLong();
                pending.add(new Pending("add later", async.add(a, 1), local.add(a, 1)));
            }
            case 1 -> {
                byte[] payload = randomBytes();
                pending.add(new Pending("reverse later length=" + payload.length,
                        async.reverse(payload).thenApply(ByteBuffer::wrap), ByteBuffer.wrap(local.reverse(payload))));
            }
            case 2 -> {
                String text = randomText();
                pending.add(new Pending("twice later", async.twice(text), local.twice(text)));
            }
            default -> {
                long value = random.nextLong();
                pending.add(new Pending("mix later", async.mix(value), local.mix(value)));
            }
        }
    }

    private void settle(int count) {
        for (int i = 0; i < count; i++) {
            Pending oldest = pending.remove();
            check(oldest.what(), oldest.right(), oldest.answer().join());
        }
    }

    private byte[] randomBytes() {
        int kind = random.nextInt(100);
        int length = kind < 60 ? random.nextInt(64) : kind < 98 ? random.nextInt(4096) : random.nextInt(LONG_BYTES);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String randomText() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(SYMBOLS[random.nextInt(SYMBOLS.length)]);
        }
        return text.toString();
    }

    private List<BenchOrder> randomOrders() {
        List<BenchOrder> orders = new ArrayList<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            orders.add(new BenchOrder(random.nextLong(), random.nextInt(), random.nextInt(), random.nextDouble(),
                    BenchOrder.Side.values()[random.nextInt(2)], randomText()));
        }
        return orders;
    }

    private static void check(String what, Object right, Object answer) {
        if (!Objects.equals(right, answer)) {
            throw new IllegalStateException("wrong answer: " + what + " expected=" + shorten(right) + " actual="
                    + shorten(answer));
        }
    }

    private static String shorten(Object value) {
        String text = value instanceof ByteBuffer buffer
                ? buffer + " hash=" + buffer.hashCode() : String.valueOf(value);
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }
}
