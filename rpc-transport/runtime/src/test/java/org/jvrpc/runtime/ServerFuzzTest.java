package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.verbs.RegionBody;

/**
 * Clients that send what chance makes of messages, and one that calls as it should all the while. The number of
 * messages is {@code -Djvrpc.fuzz.rounds}, the seed {@code -Djvrpc.seed}.
 */
class ServerFuzzTest {

    private static final long ROUNDS = Long.getLong("jvrpc.fuzz.rounds", 120_000);
    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final int CLIENTS = 4;
    private static final long HANG_NS = 20_000_000_000L;
    private final FuzzBodies bodies = new FuzzBodies();
    private final Map<String, Long> outcomes = new TreeMap<>();
    private final AtomicLong reconnects = new AtomicLong();

    @Test
    void noMessageHarmsTheServerOrItsOtherClients() {
        System.out.println("noMessageHarmsTheServer: -Djvrpc.seed=" + SEED + " -Djvrpc.fuzz.rounds=" + ROUNDS);
        SplittableRandom random = new SplittableRandom(SEED);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong good = new AtomicLong();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address())
                .service(Calls.class, FuzzBodies.harmless()).maxBodyBytes(1 << 20).start();
                RpcClient client = RpcClient.connect(server.address())) {
            Calls calls = client.stub(Calls.class);
            CompletableFuture<Boolean> steady = Await.start(() -> {
                for (int i = 0; !over.get(); i++) {
                    byte[] body = Bytes.of(i % 3000, i);
                    Bytes.assertSame(body, calls.echo(body), "echo of the good client");
                    good.incrementAndGet();
                    Thread.yield();
                }
                return true;
            });
            List<CompletableFuture<Boolean>> bad = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                SplittableRandom own = random.split();
                bad.add(Await.start(() -> {
                    try (Fuzzer fuzzer = new Fuzzer(server.address(), own)) {
                        fuzzer.run(ROUNDS / CLIENTS);
                    }
                    return true;
                }));
            }
            for (CompletableFuture<Boolean> one : bad) {
                while (!one.isDone()) {
                    long before = good.get();
                    Await.until("the good client to go on", () -> good.get() > before || steady.isDone());
                    assertTrue(!steady.isDone(), () -> "the good client failed: " + Await.outcome(steady));
                }
                Await.join(one);
            }
            over.set(true);
            Await.join(steady);
            byte[] body = Bytes.of(500_000, 1);
            Bytes.assertSame(body, calls.echo(body), "after all");
            System.out.println("answers: " + outcomes + ", connections: " + reconnects + ", good calls: " + good);
            assertEquals(List.of(), outcomes.keySet().stream().filter(name -> name.startsWith("UNKNOWN")).toList(),
                    "errors that nobody foresaw");
        }
    }

    private void count(String outcome) {
        synchronized (outcomes) {
            outcomes.merge(outcome, 1L, Long::sum);
        }
    }

    /** One client that sends anything. */
    private final class Fuzzer implements AutoCloseable {

        private final String address;
        private final SplittableRandom random;
        private final RawClient raw;
        private final WireReader reader = new WireReader();
        private final boolean[] waits = new boolean[RawClient.SLOTS];
        private final int[] generations = new int[RawClient.SLOTS];
        private final RegionBody[] rendezvous = new RegionBody[RawClient.SLOTS];
        private int base;

        Fuzzer(String address, SplittableRandom random) {
            this.address = address;
            this.random = random;
            this.raw = new RawClient(address);
            connect();
        }

        private void connect() {
            for (int slot = 0; slot < RawClient.SLOTS; slot++) {
                if (rendezvous[slot] != null) {
                    raw.bodies().give(rendezvous[slot]);
                    rendezvous[slot] = null;
                }
            }
            raw.connect(address);
            java.util.Arrays.fill(waits, false);
            base = raw.open(new CallsService(), 0);
            reconnects.incrementAndGet();
        }

        void run(long rounds) {
            for (long i = 0; i < rounds; i++) {
                int slot = (int) (i % RawClient.SLOTS);
                awaitAnswer(slot);
                int kind = random.nextInt(1000);
                if (kind < 4) {
                    breakIt(slot);
                    connect();
                    continue;
                } else if (kind < 100) {
                    control(slot);
                } else if (kind < 120) {
                    longRequest(slot);
                } else {
                    request(slot, kind < 150);
                }
                poll();
            }
            for (int slot = 0; slot < RawClient.SLOTS; slot++) {
                awaitAnswer(slot);
            }
            assertTrue(raw.isConnected(), "a session ended though nothing was wrong: " + raw.link().failure());
        }

        private void awaitAnswer(int slot) {
            long startNs = System.nanoTime();
            for (int spins = 0; waits[slot]; spins++) {
                poll();
                if (waits[slot] && (spins & 1023) == 1023) {
                    assertTrue(System.nanoTime() - startNs < HANG_NS, "no answer; failure=" + raw.link().failure());
                    assertEquals(null, raw.link().failure(), "a session ended though nothing was wrong");
                    Thread.yield();
                }
            }
        }

        private void poll() {
            while (raw.link().poll()) {
                long first = raw.link().first();
                if (RpcHeader.kind(first) != RpcHeader.RESPONSE) {
                    assertEquals(RpcHeader.CREDIT, RpcHeader.kind(first));
                    continue;
                }
                int slot = RpcHeader.slot(RpcHeader.callId(first));
                assertTrue(waits[slot] && RpcHeader.callId(first) == RpcHeader.callId(slot, generations[slot]),
                        "an answer that nobody asked for");
                waits[slot] = false;
                boolean threw = (RpcHeader.flags(first) & RpcHeader.THROWN) != 0;
                Status status = threw ? Status.OK : Status.ofCode(RpcHeader.method(first));
                String detail = "";
                if (status != Status.OK && (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) == 0) {
                    reader.reset(raw.link().payload(), raw.link().payloadOffset() + RpcHeader.BYTES,
                            raw.link().payloadLength() - RpcHeader.BYTES, null);
                    String text = reader.readString();
                    detail = status == Status.UNKNOWN ? " " + text : "";
                }
                count(status + detail);
            }
        }

        private int extension(int slot, int length) {
            ByteBuffer body = raw.link().body(slot).order(ByteOrder.LITTLE_ENDIAN);
            if (random.nextInt(8) != 0 || length + 40 > body.capacity()) {
                return 0;
            }
            int bytes = random.nextInt(1, 40);
            for (int i = 0; i < bytes; i++) {
                body.put(length + i, (byte) random.nextInt(random.nextBoolean() ? 3 : 256));
            }
            return bytes;
        }

        /** A request whose header is right, and its body may be. */
        private void request(int slot, boolean anyMethod) {
            FuzzBodies.Written written = bodies.any(random);
            int length = FuzzBodies.mutate(written.bytes(), raw.link().body(slot), random);
            int method = anyMethod ? random.nextInt(1 << 16) : base + written.method().index();
            int extension = extension(slot, length);
            waits[slot] = true;
            long first = RpcHeader.first(RpcHeader.REQUEST, 0, method, RpcHeader.callId(slot, ++generations[slot]));
            raw.send(slot, first, RpcHeader.second(length, 0, extension), length + extension);
        }

        private RegionBody body(int slot) {
            if (rendezvous[slot] == null) {
                rendezvous[slot] = raw.bodies().take(1);
            }
            return rendezvous[slot];
        }

        private void longRequest(int slot) {
            FuzzBodies.Written written = bodies.any(random);
            RegionBody body = body(slot);
            int length = FuzzBodies.mutate(written.bytes(), body.buffer().slice(0, 2000), random);
            raw.link().describe(slot, body);
            waits[slot] = true;
            long first = RpcHeader.first(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, base + written.method().index(),
                    RpcHeader.callId(slot, ++generations[slot]));
            raw.send(slot, first, RpcHeader.second(length, 0, 0), RpcHeader.DESCRIPTOR_BYTES);
        }

        /** One-way calls of any method, cancellations and releases of any call. */
        private void control(int slot) {
            int kind = random.nextInt(RpcHeader.ONE_WAY, RpcHeader.RELEASE + 1);
            int length = 0;
            int method = 0;
            if (kind == RpcHeader.ONE_WAY) {
                FuzzBodies.Written written = bodies.any(random);
                while (written.method().heavy()) { // those wait, and it has no credits for many: that ends a session
                    written = bodies.any(random);
                }
                length = FuzzBodies.mutate(written.bytes(), raw.link().body(slot), random);
                method = base + written.method().index();
            }
            int callId = random.nextBoolean() ? random.nextInt()
                    : RpcHeader.callId(random.nextInt(RawClient.SLOTS), generations[slot]);
            raw.link().sendOneWay(slot, RpcHeader.first(kind, 0, method, callId), RpcHeader.second(length, 0, 0),
                    length);
        }

        /** A message that no client sends: the session may end, and must not do harm. */
        private void breakIt(int slot) {
            FuzzBodies.Written written = bodies.any(random);
            ByteBuffer body = raw.link().body(slot).order(ByteOrder.LITTLE_ENDIAN);
            int length = FuzzBodies.mutate(written.bytes(), body, random);
            int callId = RpcHeader.callId(slot, generations[slot] + 1);
            long first = RpcHeader.first(RpcHeader.REQUEST, 0, base + written.method().index(), callId);
            long second = RpcHeader.second(length, 0, 0);
            int sent = length;
            switch (random.nextInt(6)) {
                case 0 -> first ^= 1L << random.nextInt(64);
                case 1 -> second ^= 1L << random.nextInt(64);
                case 2 -> {
                    first = random.nextLong();
                    second = random.nextLong();
                }
                case 3 -> sent = random.nextInt(RawClient.SLOT_BYTES + 1);
                case 4 -> {
                    first |= RpcHeader.RENDEZVOUS << 8;
                    second = RpcHeader.second(random.nextInt(random.nextBoolean() ? 1 << 20 : 1 << 30), 0, 0);
                    sent = RpcHeader.DESCRIPTOR_BYTES;
                    body.putLong(0, random.nextBoolean() ? random.nextLong() : body(slot).address());
                    body.putInt(8, random.nextInt());
                }
                default -> {
                    raw.send(slot, first, second, sent); // twice the same call
                    raw.send((slot + 1) % RawClient.SLOTS, first, second, 0);
                }
            }
            raw.send(slot, first, second, sent);
            java.util.Arrays.fill(waits, true);
            generations[slot]++;
            drain();
        }

        /** Takes what comes of it, whatever it is, for a moment. */
        private void drain() {
            for (int i = 0; i < 200 && raw.link().failure() == null; i++) {
                while (raw.link().poll()) {
                    count("after damage");
                }
            }
        }

        @Override
        public void close() {
            raw.close();
        }
    }
}
