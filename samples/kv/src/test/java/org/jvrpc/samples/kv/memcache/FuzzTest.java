package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.kv.store.FakeClock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.samples.kv.store.StoreTestAccess;
import org.jvrpc.samples.kv.store.TestRegion;

/** Input that no client would send: sessions end or answer, and the store and the buffers are as they should be. */
class FuzzTest {

    private static final int SESSIONS = 4000;
    private static final long BUDGET = 16L << 20;

    @Test
    void noInputBreaksAnything() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        BufferBudget budget = new BufferBudget(BUDGET);
        FakeClock clock = new FakeClock(1_700_000_000);
        StoreSettings settings = StoreSettings.ofMemory(8L << 20);
        try (TestRegion region = new TestRegion(settings.regionBytes())) {
            Store store = Store.create(region.region(), settings, clock);
            ServerStatus status = new ServerStatus(ServerSettings.ofPort(0), clock.seconds());
            BufferPool pool = new BufferPool(budget);
            for (int i = 0; i < SESSIONS; i++) {
                session(new Session(store, status, pool), input(random), random);
                clock.addNanos(10_000_000);
            }
            StoreTestAccess.audit(store);
            assertEquals(BUDGET, budget.remaining(), "bytes left of the budget");
            store.set("alive".getBytes(), "yes".getBytes(), 0, 0);
            byte[] key = "alive".getBytes();
            assertEquals(org.jvrpc.samples.kv.store.StoreResult.HIT,
                    store.get(new StoreRequest().key(ByteBuffer.wrap(key), 0, key.length), item -> { }));
        }
    }

    private static void session(Session session, byte[] input, Random random) {
        ByteBuffer in = ByteBuffer.allocateDirect(input.length + 1).order(ByteOrder.LITTLE_ENDIAN);
        int sent = 0;
        Progress progress = Progress.NEED_INPUT;
        while (sent < input.length && progress != Progress.CLOSE) {
            int some = Math.min(input.length - sent, 1 + random.nextInt(200));
            in.put(input, sent, some).flip();
            sent += some;
            do {
                progress = session.process(in);
                if (!session.out.isEmpty()) {
                    ByteBuffer unsent = session.out.unsent();
                    unsent.position(unsent.limit());
                    session.out.sent();
                }
            } while (progress == Progress.OUTPUT_FULL);
            if (progress == Progress.NEED_INPUT && session.needed() > in.capacity() && random.nextBoolean()) {
                session.refuseLongInput();
            }
            in.compact();
        }
        session.out.release();
    }

    private static byte[] input(Random random) {
        TextCommandSource source = new TextCommandSource(random, 8);
        switch (random.nextInt(4)) {
            case 0:
                return noise(random);
            case 1:
                return binary(random);
            default:
                StringBuilder commands = new StringBuilder();
                for (int i = 0; i < 10; i++) {
                    commands.append(source.next().replace("{", "").replace("}", ""));
                }
                byte[] bytes = commands.toString().getBytes(StandardCharsets.ISO_8859_1);
                for (int i = random.nextInt(8); i > 0 && bytes.length > 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                return bytes;
        }
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(600)];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length && random.nextBoolean(); i += 7) {
            bytes[i] = '\n';
        }
        return bytes;
    }

    private static byte[] binary(Random random) {
        ByteBuffer bytes = ByteBuffer.allocate(2000);
        while (bytes.remaining() > 400) {
            int extras = new int[] {0, 4, 8, 20, random.nextInt(30)}[random.nextInt(5)];
            int key = random.nextInt(8) == 0 ? random.nextInt(300) : random.nextInt(6);
            int value = random.nextInt(60);
            int body = random.nextInt(20) == 0 ? random.nextInt() : extras + key + value;
            bytes.put((byte) 0x80).put((byte) random.nextInt(0x28)).putShort((short) key).put((byte) extras)
                    .put((byte) 0).putShort((short) 0).putInt(body).putInt(random.nextInt())
                    .putLong(random.nextInt(4) == 0 ? random.nextLong() : 0);
            byte[] rest = new byte[Math.min(bytes.remaining(), extras + key + value)];
            random.nextBytes(rest);
            bytes.put(rest);
        }
        return java.util.Arrays.copyOf(bytes.array(), bytes.position());
    }
}
