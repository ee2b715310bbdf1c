package org.jvrpc.runtime.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.runtime.sim.world.World;

/** A thread of a simulated client: makes calls of all kinds, and sees how each ends. */
final class Caller implements Runnable {

    private static final int MOST_CALLS = 8;
    private static final int KINDS = 12;
    private static final int ASYNC_LIGHT = 4;
    private static final int MOST_TOLD = 60;

    private final World world;
    private final Choices.Stream choices;
    private final Book book;
    private final ClientCore client;
    private final boolean hasFaults;
    private final BooleanSupplier answersMayBeLost;
    private final List<Runnable> open = new ArrayList<>();
    private long next;

    /**
     * @param number of the caller
     * @param answersMayBeLost whether a call that ran may have ended without its answer by now, as its server is gone
     */
    Caller(World world, Book book, ClientCore client, int number, boolean hasFaults,
            BooleanSupplier answersMayBeLost) {
        this.world = world;
        this.choices = world.choices("calls-" + number);
        this.book = book;
        this.client = client;
        this.hasFaults = hasFaults;
        this.answersMayBeLost = answersMayBeLost;
        this.next = number * Book.OF_A_CALLER;
    }

    @Override
    public void run() {
        ServiceDescriptor<Ledger> descriptor = ServiceDescriptor.of(Ledger.class);
        CallOptions options = CallOptions.DEFAULT;
        if (hasFaults && choices.rarely(3)) {
            options = options.withDeadlineAfter(Duration.ofNanos(20_000L << choices.pick(12)));
        }
        int count = 1 + choices.pick(MOST_CALLS);
        try {
            Ledger calls = descriptor.stub(client.channel(descriptor, options));
            LedgerAsync async = (LedgerAsync) descriptor.asyncStub(client.channel(descriptor, options));
            for (int i = 0; i < count; i++) {
                call(next++, choices.pick(KINDS), calls, async);
            }
        } catch (RpcException e) {
            failed(-1, e); // the service could not be opened
        }
        open.forEach(Runnable::run);
    }

    private void call(long number, int kind, Ledger calls, LedgerAsync async) {
        world.trace(Thread.currentThread().getName() + " call " + number + " kind " + kind);
        try {
            switch (kind) {
                case 0 -> answer(number, calls.light(number));
                case 1 -> answer(number, calls.heavy(number));
                case 2 -> Book.check(number, calls.bytes(number, Book.bytes(number, length())));
                case 3 -> tell(number, calls);
                case ASYNC_LIGHT -> open.add(watch(number, kind, async.light(number)));
                case 5 -> open.add(watch(number, kind, async.heavy(number)));
                case 6 -> Book.check(number, calls.fill(number, length()));
                case 7 -> {
                    calls.tellHeavy(number);
                    book.sent(number);
                }
                case 8 -> calls.fail(number);
                case 9 -> bursts(async);
                case 10 -> callbacks(async);
                default -> open.add(watch(number, kind, async.later(number)));
            }
        } catch (RpcException e) {
            if (kind != 8 || e.status() != Status.NOT_FOUND) {
                failed(number, e);
                checkNotLost(number, kind, e);
            }
        }
    }

    /** Calls that come together, round after round: their answers may leave together from the third on. */
    private void bursts(LedgerAsync async) {
        for (int rounds = 2 + choices.pick(6); rounds > 0; rounds--) {
            List<Runnable> answers = new ArrayList<>();
            for (int calls = 2 + choices.pick(4); calls > 0; calls--) {
                long number = next++;
                answers.add(watch(number, ASYNC_LIGHT, async.light(number)));
            }
            answers.forEach(Runnable::run);
        }
    }

    /**
     * Calls with callbacks, which make the next ones: those leave together. This thread polls for them, or makes calls
     * of its own, or leaves them to the client.
     */
    private void callbacks(LedgerAsync async) {
        CallbackChain chain = new CallbackChain(async, next, 1 + choices.pick(5), 4 + choices.pick(20));
        next += chain.calls();
        chain.begin();
        int way = choices.pick(3);
        for (int i = choices.pick(30); i > 0 && way > 0 && !chain.isOver(); i--) {
            if (way == 1) {
                client.poll();
            } else {
                long number = next++;
                watch(number, ASYNC_LIGHT, async.light(number)).run();
            }
        }
        chain.await((number, failure) -> {
            if (failure == null) {
                answer(number.call(), number.answer());
            } else {
                failed(number.call(), failure);
                checkNotLost(number.call(), ASYNC_LIGHT, failure);
            }
        });
    }

    /** Once, or more often than there are credits. */
    private void tell(long number, Ledger calls) {
        calls.tell(number);
        book.sent(number);
        for (int more = choices.rarely(4) ? choices.pick(MOST_TOLD) : 0; more > 0; more--) {
            calls.tell(next);
            book.sent(next++);
        }
    }

    private int length() {
        return choices.rarely(3) ? 1000 + choices.pick(4000) : choices.pick(200);
    }

    private void answer(long number, long answer) {
        if (answer != ~number || !book.hasRun(number)) {
            throw new Violation("call " + number + " was answered " + ~answer);
        }
    }

    private void failed(long number, Throwable cause) {
        world.trace("failed " + number + " " + cause);
        Thread.interrupted(); // it was a fault, and is over
        boolean allowed = hasFaults && (cause instanceof CancellationException
                || cause instanceof RpcException e && isAllowed(e.status()));
        if (!allowed) {
            throw new Violation("call " + number + " ended with " + cause, cause);
        }
    }

    /** A server that ends in order has answered what it ran. */
    private void checkNotLost(long number, int kind, Throwable cause) {
        if (kind != 3 && kind != 7 && cause instanceof RpcException e && e.status() == Status.UNAVAILABLE
                && book.hasRun(number) && !answersMayBeLost.getAsBoolean()) {
            throw new Violation("call " + number + " ran on a server that ends in order, and ended with " + e, e);
        }
    }

    private static boolean isAllowed(Status status) {
        return status == Status.DEADLINE_EXCEEDED || status == Status.UNAVAILABLE
                || status == Status.RESOURCE_EXHAUSTED || status == Status.CANCELLED;
    }

    /** Returns what waits for an asynchronous call, and whether it ended once. */
    private Runnable watch(long number, int kind, CompletableFuture<Long> call) {
        int[] ends = new int[1];
        CompletableFuture<Void> counted = call.handle((value, failure) -> {
            ends[0]++;
            return null;
        });
        if (hasFaults && choices.rarely(6)) {
            call.cancel(false);
        }
        return () -> {
            try {
                answer(number, call.join());
            } catch (CompletionException e) {
                failed(number, e.getCause());
                checkNotLost(number, kind, e.getCause());
            } catch (CancellationException e) {
                failed(number, e);
            }
            counted.join();
            if (ends[0] != 1) {
                throw new Violation("call " + number + " ended times=" + ends[0]);
            }
        };
    }
}
