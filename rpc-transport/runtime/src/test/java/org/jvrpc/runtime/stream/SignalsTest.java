package org.jvrpc.runtime.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Wakes;

/** Who tells users. */
class SignalsTest {

    private final StreamPoller poller = new StreamPoller(Environment.SYSTEM, new Wakes(), Idler.spinning(1), "test",
            1L << 40, ended -> { }, () -> { });
    private final StreamSession session = new StreamSession(Clock.SYSTEM, new DeafLink(1, 1024), null,
            new StreamMemory(1 << 20), IdleStrategy.BLOCK, Hello.request(Protocol.STREAMS, 1, 1024, 4096), 4096, 7,
            poller);

    @Test
    void aSubscriberThatAsksBehindItsSessionsEndIsTold() {
        AtomicInteger told = new AtomicInteger();
        Stream stream = new OutflowSubscriberTest.Still(session);
        stream.consumer(() -> { }, told::incrementAndGet);
        session.signal(stream);
        assertEquals(0, told.get(), "whoever polls tells");
        session.signals().leave();
        assertEquals(1, told.get());
        session.signal(stream);
        assertEquals(2, told.get(), "nobody polls any more");
        assertFalse(session.signals().areThere());
    }
}
