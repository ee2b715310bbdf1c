package org.jvrpc.benchmarks.soak.role;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jvrpc.benchmarks.soak.audit.CallKind;
import org.jvrpc.benchmarks.soak.role.CallAccount.Call;

/** A thread that makes random calls while it may. */
final class CallerThread implements Runnable {

    private static final CallKind[] MODEST = {
        CallKind.LIGHT, CallKind.LIGHT, CallKind.LIGHT, CallKind.HEAVY, CallKind.HEAVY, CallKind.BYTES,
        CallKind.LONG_BYTES, CallKind.LATE, CallKind.FUTURE, CallKind.HANG, CallKind.BACK, CallKind.THROW,
        CallKind.REFUSE, CallKind.ONE_WAY, CallKind.ONE_WAY, CallKind.CANCEL
    };
    private static final CallKind[] GREEDY = {
        CallKind.LIGHT, CallKind.HEAVY, CallKind.BYTES, CallKind.LONG_BYTES, CallKind.LONG_BYTES, CallKind.FUTURE,
        CallKind.ONE_WAY, CallKind.CANCEL
    };
    private static final int LONG_BYTES = 200_000;
    private static final int SHORT_BYTES = 4_000;

    private final Targets targets;
    private final CallAccount account;
    private final Plant plant;
    private final BooleanSupplier mayCall;
    private final boolean greedy;
    private final Random random;
    private volatile boolean interrupted;
    private volatile Thread thread;

    CallerThread(Targets targets, CallAccount account, Plant plant, BooleanSupplier mayCall, boolean greedy,
            long seed) {
        this.targets = targets;
        this.account = account;
        this.plant = plant;
        this.mayCall = mayCall;
        this.greedy = greedy;
        this.random = new Random(seed);
    }

    /** Interrupts what the thread is at. */
    void interrupt() {
        Thread running = thread;
        if (running != null) {
            interrupted = true;
            running.interrupt();
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        while (true) {
            Target target = targets.get(random.nextInt(targets.count()));
            if (!mayCall.getAsBoolean() || target == null || isIdle(target)) {
                sleep(5);
            } else if (random.nextInt(greedy ? 200 : 8) == 0) {
                sleep(random.nextInt(10));
            } else {
                callOne(target);
            }
            if (Thread.interrupted()) {
                interrupted = false;
            }
        }
    }

    /** Calls of a client without a connection fail at once: some are enough. */
    private boolean isIdle(Target target) {
        return !target.client().isConnected() && random.nextInt(10) != 0;
    }

    private void callOne(Target target) {
        CallKind[] kinds = greedy ? GREEDY : MODEST;
        CallKind kind = kinds[random.nextInt(kinds.length)];
        int deadline = random.nextInt(Target.DEADLINES_MS.length);
        Call call = account.begin(target, kind, deadline);
        if (call == null) {
            sleep(50);
        } else if (isStarted(kind)) {
            start(call, kind, target.async(deadline));
        } else {
            callAndWait(call, kind, target.stub(deadline));
        }
    }

    /** Slow calls would leave the thread nothing else to do. */
    private boolean isStarted(CallKind kind) {
        return switch (kind) {
            case CANCEL, FUTURE -> true;
            case LATE, HANG -> greedy || random.nextInt(10) != 0;
            default -> greedy || random.nextInt(4) == 0;
        };
    }

    private void callAndWait(Call call, CallKind kind, CampaignService stub) {
        try {
            long id = call.id();
            long argument = random.nextLong();
            switch (kind) {
                case LIGHT -> call.answered(stub.light(id, argument) == Answers.of(id, argument));
                case HEAVY -> call.answered(stub.heavy(id, argument) == Answers.of(id, argument));
                case LATE -> call.answered(stub.late(id, argument, random.nextInt(300)) == Answers.of(id, argument));
                case HANG -> call.answered(stub.hang(id, argument) == Answers.of(id, argument));
                case BACK -> call.answered(stub.back(id, argument) == Answers.of(id, argument));
                case BYTES, LONG_BYTES -> {
                    byte[] body = body(kind);
                    call.answered(Arrays.equals(Answers.of(id, body), stub.bytes(id, body)));
                }
                case THROW -> call.answered(stub.broken(id, random.nextBoolean()) != 0);
                case REFUSE -> call.answered(stub.refused(id) != 0);
                case ONE_WAY -> {
                    stub.tick(id);
                    call.answered(true);
                }
                default -> throw new IllegalArgumentException("kind=" + kind);
            }
        } catch (CampaignService.RefusedException e) {
            call.refused(e);
        } catch (RuntimeException | Error e) {
            failed(call, e);
        }
    }

    private void failed(Call call, Throwable e) {
        if (interrupted) {
            call.mayCancel();
        }
        call.failed(e);
    }

    /** Starts a call whose end is noted by whoever ends its future. */
    private void start(Call call, CallKind kind, CampaignServiceAsync stub) {
        try {
            long id = call.id();
            long argument = random.nextLong();
            switch (kind) {
                case BYTES, LONG_BYTES -> {
                    byte[] body = body(kind);
                    byte[] right = Answers.of(id, body);
                    whenDone(call, stub.bytes(id, body).thenApply(answer -> Arrays.equals(right, answer)));
                }
                case THROW -> whenDone(call, stub.broken(id, random.nextBoolean()).thenApply(any -> true));
                case REFUSE -> whenDone(call, stub.refused(id).thenApply(any -> true));
                case ONE_WAY -> {
                    stub.tick(id);
                    call.answered(true);
                }
                case CANCEL -> cancel(call, stub.late(id, argument, random.nextInt(30)), Answers.of(id, argument));
                default -> {
                    long right = Answers.of(id, argument);
                    whenDone(call, number(stub, kind, id, argument).thenApply(answer -> answer == right));
                }
            }
        } catch (RuntimeException | Error e) {
            failed(call, e);
        }
    }

    private CompletableFuture<Long> number(CampaignServiceAsync stub, CallKind kind, long id, long argument) {
        return switch (kind) {
            case LIGHT -> stub.light(id, argument);
            case HEAVY -> stub.heavy(id, argument);
            case LATE -> stub.late(id, argument, random.nextInt(300));
            case FUTURE -> stub.later(id, argument, random.nextInt(100));
            case HANG -> stub.hang(id, argument);
            case BACK -> stub.back(id, argument);
            default -> throw new IllegalArgumentException("kind=" + kind);
        };
    }

    private void cancel(Call call, CompletableFuture<Long> future, long right) {
        call.mayCancel();
        whenDone(call, future.thenApply(answer -> answer == right));
        sleep(random.nextInt(20));
        future.cancel(true);
    }

    private void whenDone(Call call, CompletableFuture<Boolean> future) {
        boolean lost = plant.hits(Plant.Kind.LOSE);
        future.whenComplete((right, thrown) -> {
            if (lost) {
                return;
            }
            if (thrown == null) {
                call.answered(right);
            } else {
                failed(call, thrown);
            }
        });
    }

    private byte[] body(CallKind kind) {
        byte[] body = new byte[random.nextInt(kind == CallKind.LONG_BYTES ? LONG_BYTES : SHORT_BYTES)];
        random.nextBytes(body);
        return body;
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the loop takes it back
        }
    }
}
