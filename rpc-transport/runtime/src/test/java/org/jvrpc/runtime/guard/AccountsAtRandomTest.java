package org.jvrpc.runtime.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.thread.Environment;

/** Sessions, calls and streams of some principals by several threads at random, beside rounds and revocations. */
class AccountsAtRandomTest {

    private static final int THREADS = 4;
    private static final int STEPS = 4000;
    private static final int PRINCIPALS = 3;
    private static final MethodDescriptor METHOD =
            new MethodDescriptor(0, "Orders", "watch", "watch()", 0, false, false, 0, false);

    private final long seed = Long.getLong("jvrpc.seed", System.nanoTime());
    private final AtomicLong expiry = new AtomicLong(1000);
    private final Guard guard = make();
    private final ConcurrentLinkedQueue<Gate> ended = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<AutoCloseable> revocations = new ConcurrentLinkedQueue<>();

    private Guard guard() {
        return guard;
    }

    private Guard make() {
        GuardOptions options = new GuardOptions();
        options.limits(new PrincipalLimits().maxSessions(4).maxCalls(6));
        options.verifier(token -> RpcPrincipal.token(token, Instant.ofEpochSecond(expiry.get() + 5)));
        options.authorizer((who, access) -> {
            if (access.step() == Access.Step.STREAM && (who.hashCode() + expiry.get()) % 11 == 0) {
                revocations.add(guard().revoke(who::equals)); // behind the look at whoever opens it
            }
            return (who.hashCode() + expiry.get()) % 7 == 0 ? "not now" : null;
        });
        return new Guard(options, new Environment(System::nanoTime, (task, name) -> new Thread(() -> { })), "test",
                () -> Instant.ofEpochSecond(expiry.get()));
    }

    private static RpcPrincipal principal(int number) {
        return RpcPrincipal.process("user-" + number, "users", number, number, 1);
    }

    /** What one thread has open, and what it does next. */
    private final class Actor implements Runnable {

        private final SplittableRandom random;
        private final List<Gate> gates = new ArrayList<>();
        private final List<Pass> passes = new ArrayList<>();
        private final List<Gate.Held> streams = new ArrayList<>();

        Actor(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void run() {
            for (int i = 0; i < STEPS; i++) {
                try {
                    step(random.nextInt(12));
                } catch (RpcException e) {
                    // refused, which costs nothing
                }
            }
            passes.forEach(Pass::end);
            streams.forEach(Gate.Held::close);
            gates.forEach(Gate::close);
        }

        private void step(int kind) {
            switch (kind) {
                case 0, 1 -> connect();
                case 2, 3, 4 -> passes.add(some().enter(some().call(METHOD), token(), 10));
                case 5 -> streams.add(some().stream(METHOD, token(), 10));
                case 6, 7 -> {
                    if (!passes.isEmpty()) {
                        passes.remove(random.nextInt(passes.size())).end();
                    }
                }
                case 8 -> {
                    if (!streams.isEmpty()) {
                        Gate.Held stream = streams.remove(random.nextInt(streams.size()));
                        stream.close();
                        stream.close();
                    }
                }
                case 9 -> {
                    if (!gates.isEmpty()) {
                        Gate gate = gates.remove(random.nextInt(gates.size()));
                        gate.close();
                        gate.close();
                    }
                }
                case 10 -> revokeForAMoment();
                default -> {
                    expiry.addAndGet(random.nextInt(3));
                    guard.round(random.nextBoolean());
                }
            }
        }

        private void connect() {
            Who who = Who.of(principal(random.nextInt(PRINCIPALS)));
            guard.connect(who);
            Gate[] made = new Gate[1];
            made[0] = guard.gate(random.nextLong(), who, why -> ended.add(made[0]));
            if (random.nextInt(10) == 0) { // its session fails before it is polled
                CompletableFuture<Void> close = CompletableFuture.runAsync(made[0]::close);
                made[0].begin();
                close.join();
            } else {
                made[0].begin();
            }
            gates.add(made[0]);
        }

        private Gate some() {
            if (gates.isEmpty()) {
                throw new RpcException(Status.UNAVAILABLE, "no session");
            }
            return gates.get(random.nextInt(gates.size()));
        }

        private Metadata token() {
            return random.nextBoolean() ? null
                    : new Metadata().put("authorization", "Bearer token-" + random.nextInt(PRINCIPALS));
        }

        private void revokeForAMoment() {
            String name = (random.nextBoolean() ? "user-" : "token-") + random.nextInt(PRINCIPALS);
            revocations.add(guard.revoke(who -> who.name().equals(name)));
            try {
                for (AutoCloseable each = revocations.poll(); each != null; each = revocations.poll()) {
                    each.close();
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void whenAllIsOverNothingIsCounted() {
        System.out.println("AccountsAtRandomTest -Djvrpc.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        var threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(CompletableFuture.runAsync(new Actor(random.split()), threads));
            }
            all.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        for (int i = 0; i < PRINCIPALS; i++) {
            for (RpcPrincipal each : List.of(principal(i), RpcPrincipal.token("token-" + i, null))) {
                Account account = guard.pass(each).account();
                assertEquals("calls=0 sessions=0", "calls=" + account.underWay() + " sessions=" + account.sessions(),
                        each + " seed=" + seed);
            }
        }
        guard.round(false);
        assertEquals(0, guard.accounts(), "seed=" + seed);
        assertEquals(0, guard.gates(), "seed=" + seed);
    }
}
