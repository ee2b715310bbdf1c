package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.verbs.LinkSize;
import org.jvrpc.runtime.verbs.SessionDomain;
import org.jvrpc.runtime.verbs.VerbsLink;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;

/** A server that answers what chance makes of answers, and a real client. */
class ClientFuzzTest {

    private static final long ROUNDS = Math.max(2_000, Long.getLong("jvrpc.fuzz.rounds", 120_000) / 10);
    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    @Test
    void noAnswerHarmsAClient() {
        System.out.println("noAnswerHarmsAClient: -Djvrpc.seed=" + SEED + " rounds=" + ROUNDS);
        SplittableRandom random = new SplittableRandom(SEED);
        AtomicLong returned = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        try (Liar liar = new Liar(ShmFolder.address(), random.split());
                RpcClient client = RpcClient.builder(liar.address).slots(8).slotBytes(1024).maxBodyBytes(1 << 20)
                        .deadline(Duration.ofMillis(100)).connect()) {
            Calls calls = Await.join(Await.start(() -> stub(client, CallOptions.DEFAULT)));
            CallsAsync async = Await.join(Await.start(() -> asyncStub(client)));
            List<CompletableFuture<Boolean>> callers = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                SplittableRandom own = random.split();
                callers.add(Await.start(() -> {
                    for (long i = 0; i < ROUNDS / 2; i++) {
                        Await.until("a connection", client::isConnected);
                        (call(calls, async, own) ? returned : failed).incrementAndGet();
                    }
                    return true;
                }));
            }
            callers.forEach(Await::join);
            System.out.println("returned: " + returned + ", failed: " + failed + ", connections: " + liar.connections);
            liar.honest = true;
            Await.until("the client to work again", () -> {
                try {
                    return calls.add(20, 22) == 42;
                } catch (RpcException e) {
                    return false;
                }
            });
            Calls patient = stub(client, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30)));
            for (int i = 0; i < 100; i++) {
                assertEquals(i + 1, patient.add(i, 1));
            }
        }
    }

    private static Calls stub(RpcClient client, CallOptions options) {
        while (true) {
            try {
                return client.stub(Calls.class, options);
            } catch (RpcException e) {
                Thread.onSpinWait(); // the opening of the service was answered by chance too
            }
        }
    }

    private static CallsAsync asyncStub(RpcClient client) {
        while (true) {
            try {
                return client.asyncStub(Calls.class, CallsAsync.class);
            } catch (RpcException e) {
                Thread.onSpinWait();
            }
        }
    }

    /** Makes a call; true when it returned, false when it failed as calls may. */
    private static boolean call(Calls calls, CallsAsync async, SplittableRandom random) {
        try {
            switch (random.nextInt(8)) {
                case 0 -> calls.add(1, 2);
                case 1 -> calls.echo(new byte[random.nextInt(900)]);
                case 2 -> calls.text("text");
                case 3 -> calls.graph(new Calls.Node());
                case 4 -> calls.order(new Calls.Order(1, "x", Calls.Side.BUY, 1, 1, List.of()));
                case 5 -> calls.copy(ByteBuffer.allocate(8), ByteBuffer.allocate(100));
                case 6 -> calls.orders(java.util.Map.of(), java.util.Set.of(), java.util.Optional.empty());
                default -> {
                    Object outcome = Await.outcome(async.text("text"));
                    assertTrue(outcome instanceof String || outcome instanceof RpcException
                            || outcome instanceof Calls.Overdrawn, "ended with " + outcome);
                    return outcome instanceof String;
                }
            }
            return true;
        } catch (RpcException | Calls.Overdrawn e) {
            return false;
        }
    }

    /** The server. Its one thread polls. */
    private static final class Liar implements AutoCloseable {

        private static final int CREDITS = 64;
        final String address;
        final AtomicLong connections = new AtomicLong();
        volatile boolean honest;
        private final SplittableRandom random;
        private final Device device;
        private final SessionDomain domain;
        private final EventChannel channel;
        private final Listener listener;
        private final CompletableFuture<Boolean> thread;
        private volatile boolean over;
        private VerbsLink link;
        private Connection connection;

        Liar(String address, SplittableRandom random) {
            this.address = address;
            this.random = random;
            device = Devices.open(address);
            domain = new SessionDomain(device, null);
            channel = device.createChannel();
            listener = device.listen(address, channel);
            thread = Await.start(() -> {
                run();
                return true;
            });
        }

        private void run() {
            for (int spins = 0; !over; spins++) {
                if (link == null || (spins & 255) == 0) {
                    channel.await(link == null ? 100_000 : 0);
                    ConnectionRequest request = listener.poll();
                    if (request != null) {
                        accept(request);
                    }
                }
                if (link != null && link.failure() == null && link.poll()) {
                    long first = link.first();
                    if (RpcHeader.kind(first) == RpcHeader.REQUEST) {
                        answer(RpcHeader.callId(first), RpcHeader.method(first));
                    }
                }
            }
        }

        private void accept(ConnectionRequest request) {
            if (link != null) {
                connection.close();
                link.close();
            }
            Hello hello = Hello.decode(request.privateData());
            link = new VerbsLink(Clock.SYSTEM, device, domain, channel,
                    LinkSize.fixed(hello.units(), hello.unitBytes(), hello.units() + CREDITS));
            connection = request.accept(link.qp(), new Hello(hello.protocol(), hello.versions(), hello.units(),
                    hello.unitBytes(), CREDITS, 1 << 20, connections.incrementAndGet()).encode(), channel);
        }

        private void answer(int callId, int method) {
            int slot = RpcHeader.slot(callId);
            ByteBuffer body = link.body(slot).order(ByteOrder.LITTLE_ENDIAN);
            if (honest || method == RpcHeader.OPEN && random.nextInt(10) != 0) {
                long sum = 0;
                if (method != RpcHeader.OPEN && link.payloadLength() >= RpcHeader.BYTES + 16) {
                    ByteBuffer in = link.payload().duplicate().order(ByteOrder.LITTLE_ENDIAN);
                    int at = link.payloadOffset() + RpcHeader.BYTES;
                    sum = in.getLong(at) + in.getLong(at + 8);
                }
                body.putLong(0, sum);
                link.send(slot, RpcHeader.first(RpcHeader.RESPONSE, 0, 0, callId), RpcHeader.second(8, 1, 0), 8);
                return;
            }
            lie(slot, callId, body);
        }

        private void lie(int slot, int callId, ByteBuffer body) {
            int length = random.nextInt(random.nextBoolean() ? 40 : 1025);
            for (int i = 0; i < length; i++) {
                body.put(i, (byte) random.nextInt(random.nextBoolean() ? 4 : 256));
            }
            int kind = random.nextInt(1000);
            int flags = kind < 800 ? 0 : RpcHeader.THROWN;
            int status = random.nextInt(4) > 0 && kind < 800 ? 0 : random.nextInt(kind < 790 ? 17 : 1 << 16);
            long first = RpcHeader.first(RpcHeader.RESPONSE, flags, status, callId);
            long second = RpcHeader.second(length, 1, 0);
            int sent = length;
            if (kind >= 990) {
                switch (random.nextInt(6)) {
                    case 0 -> first ^= 1L << random.nextInt(64);
                    case 1 -> second ^= 1L << random.nextInt(64);
                    case 2 -> first = random.nextLong();
                    case 3 -> sent = random.nextInt(1025);
                    case 4 -> {
                        first |= RpcHeader.RENDEZVOUS << 8;
                        second = RpcHeader.second(random.nextInt(), 1, 0);
                        sent = RpcHeader.DESCRIPTOR_BYTES;
                    }
                    default -> link.send(slot, first, second, sent); // twice
                }
            }
            link.send(slot, first, second, sent);
        }

        @Override
        public void close() {
            over = true;
            Await.join(thread);
            device.close();
        }
    }
}
