package org.jvrpc.api.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** What a reader says of a stream that failed. */
final class PrefetchReaderTest {

    private static RpcException read(Throwable failure) {
        Flow.Publisher<String> fails = subscriber -> {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                }

                @Override
                public void cancel() {
                }
            });
            subscriber.onError(failure);
        };
        return assertThrows(RpcException.class, () -> Streams.reader(fails).hasNext());
    }

    @Test
    void aStreamThatDidNotRunIsOneForItsReader() {
        RpcException failure = RpcException.notRun(Status.UNAVAILABLE, "nobody is there");
        RpcException read = read(failure);
        assertFalse(read.mayHaveRun());
        assertEquals(Status.UNAVAILABLE, read.status());
        assertSame(failure, read.getCause());
    }

    @Test
    void whatAFailureSaysToProgramsReachesItsReader() {
        ErrorDetails details = ErrorDetails.of("SOLD_OUT", "shop");
        RpcException read = read(new RpcException(Status.ABORTED, "gone").withDetails(details));
        assertEquals(details, read.details());
        assertTrue(read.mayHaveRun());
    }

    @Test
    void anErrorOfAPublisherIsUnknown() {
        assertEquals(Status.UNKNOWN, read(new IllegalStateException("broken")).status());
    }
}
