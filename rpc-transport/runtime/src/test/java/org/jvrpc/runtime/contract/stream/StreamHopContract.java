package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** Handlers whose streams come from another server: these have the time that is left, and end with their calls. */
public abstract class StreamHopContract extends StreamFixture {

    private static final Duration BRIEF = Duration.ofMillis(300);

    private volatile CompletableFuture<Collector<Long>> begun = new CompletableFuture<>();
    private Feed behind;

    private final class RelayImpl implements Relay {

        private void begin() {
            begun.complete(Collector.of(behind.silence(), 1));
        }

        @Override
        public CompletableFuture<Long> later() {
            begin();
            return new CompletableFuture<>();
        }

        @Override
        public void heavily() {
            begin();
        }

        @Override
        public Flow.Publisher<Long> silence() {
            begin();
            return new SubmissionPublisher<>();
        }
    }

    /** Returns a client of a server whose handlers call {@link #impl}. */
    private RpcClient begin() {
        behind = feed();
        RpcServer front = RpcServer.builder().bind(newAddress()).service(Relay.class, new RelayImpl()).context(true)
                .start();
        made.add(front);
        return connect(front, builder -> builder);
    }

    private void ends(Status status) {
        Collector<?> stream = assertInstanceOf(Collector.class, Await.outcome(begun));
        assertEquals("failed", stream.ended());
        assertEquals(status, assertInstanceOf(RpcException.class, stream.failure).status());
        Await.until("the other server's publisher to be cancelled",
                () -> impl.cancels.get() == impl.subscribed.get());
    }

    /** Has a call's time end while a stream of its handler's goes on. */
    private void endsByTheTimeLeft(Consumer<Relay> call) {
        RpcClient front = begin();
        Await.inTime("the handler to begin a stream", BRIEF, time -> {
            begun = new CompletableFuture<>();
            try {
                call.accept(front.stub(Relay.class, CallOptions.DEFAULT.withDeadlineAfter(time)));
            } catch (RpcException e) {
                assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
                return false;
            }
            if (!begun.isDone()) {
                return false;
            }
            ends(Status.DEADLINE_EXCEEDED);
            return impl.subscribed.get() > 0;
        });
    }

    @Test
    void aStreamOfAHeavyHandlerHasTheTimeThatIsLeftToItsCall() {
        endsByTheTimeLeft(Relay::heavily);
    }

    @Test
    void aStreamOfAStreamsHandlerHasTheTimeThatIsLeftToItsCall() {
        endsByTheTimeLeft(relay -> Collector.of(relay.silence(), 1).ended());
    }

    @Test
    void aStreamOfALightHandlerEndsWithItsCall() {
        CompletableFuture<Long> call = begin().stub(Relay.class).later();
        Await.until("the handler to begin a stream", () -> impl.subscribed.get() == 1);
        call.cancel(false);
        ends(Status.CANCELLED);
    }

    @Test
    void aStreamOfAStreamsHandlerEndsWithItsCall() {
        Collector<Long> call = Collector.of(begin().stub(Relay.class).silence(), 1);
        Await.until("the handler to begin a stream", () -> impl.subscribed.get() == 1);
        call.upstream.cancel();
        ends(Status.CANCELLED);
    }
}
