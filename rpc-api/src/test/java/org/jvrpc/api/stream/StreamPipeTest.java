package org.jvrpc.api.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.WritablePublisher;

/** How a pipe's waits end. */
@Timeout(60)
class StreamPipeTest {

    private final StreamPipe<String> pipe = Streams.pipe(Duration.ofHours(1));

    /** Keeps what it is told, and asks for all of it. */
    private static final class Ears implements Flow.Subscriber<String> {

        private final List<String> heard = new ArrayList<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String element) {
            heard.add(element);
        }

        @Override
        public void onError(Throwable cause) {
            heard.add("error " + cause.getMessage());
        }

        @Override
        public void onComplete() {
            heard.add("end");
        }
    }

    private List<String> heard() {
        Ears ears = new Ears();
        pipe.publisher().subscribe(ears);
        return ears.heard;
    }

    private static void fails(Status status, StreamPipe<String> pipe) {
        assertEquals(status, assertThrows(RpcException.class, () -> pipe.write("lost")).status());
    }

    @Test
    void whatIsWrittenArrivesAndEnds() {
        List<String> heard = heard();
        pipe.write("one");
        pipe.close();
        pipe.close();
        assertEquals(List.of("one", "end"), heard);
    }

    @Test
    void aPipeThatIsClosedBeforeSomebodySubscribesEndsThen() {
        pipe.close();
        fails(Status.FAILED_PRECONDITION, pipe);
        assertEquals(List.of("end"), heard());
    }

    @Test
    void aPipeThatFailsBeforeSomebodySubscribesFailsThen() {
        pipe.fail(new IllegalStateException("early"));
        pipe.close();
        assertEquals(List.of("error early"), heard());
    }

    @Test
    void aWriteWaitsForASubscriberNoLongerThanTheLimit() {
        fails(Status.DEADLINE_EXCEEDED, Streams.pipe(Duration.ofMillis(1)));
        assertThrows(IllegalArgumentException.class, () -> Streams.pipe(Duration.ZERO));
    }

    @Test
    void anInterruptEndsAWrite() {
        Thread.currentThread().interrupt();
        fails(Status.CANCELLED, pipe);
        assertTrue(Thread.interrupted(), "the interrupt is left to the thread's owner");
    }

    @Test
    void aWriteFailsWithTheCallThatThePipeWasMadeFor() {
        WritablePublisher<?> made = assertInstanceOf(WritablePublisher.class, pipe.publisher());
        made.abandon(new RpcException(Status.UNAVAILABLE, "nobody there"));
        fails(Status.UNAVAILABLE, pipe);
        assertTrue(heard().get(0).contains("nobody there"));
    }

    @Test
    void anInterruptedWriterOfAPlainSubscriberEndsTheStreamWithAFailure() {
        List<String> heard = new ArrayList<>();
        Flow.Subscriber<String> silent = new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                heard.add("subscribed");
            }

            @Override
            public void onNext(String element) {
                heard.add(element);
            }

            @Override
            public void onError(Throwable cause) {
                heard.add("error");
            }

            @Override
            public void onComplete() {
                heard.add("end");
            }
        };
        pipe.publisher().subscribe(silent);
        Thread.currentThread().interrupt();
        RpcException e = assertThrows(RpcException.class, () -> pipe.write("lost"));
        assertTrue(Thread.interrupted(), "the interrupt is left to the thread's owner");
        pipe.fail(e);
        assertEquals(List.of("subscribed", "error"), heard);
    }
}
