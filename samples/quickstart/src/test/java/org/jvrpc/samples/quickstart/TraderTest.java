package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** The caller against books in the same process, which answer wrongly, fail, or forget. */
final class TraderTest {

    private static final int LOOKS = 50;

    private final OrderBook book = new OrderBook(7);
    private final List<String> wrong = new ArrayList<>();
    private final CallLog log = new CallLog();

    /** Passes on to a book that a test may exchange. */
    private static class Passing implements Orders {
        Orders to;

        Passing(Orders to) {
            this.to = to;
        }

        @Override
        public long place(Order order) {
            return to.place(order);
        }

        @Override
        public Order find(long id) throws NoSuchOrderException {
            return to.find(id);
        }

        @Override
        public byte[] snapshot(String symbol) {
            return to.snapshot(symbol);
        }

        @Override
        public Report report(Query query) {
            return to.report(query);
        }

        @Override
        public void tick(long instrument, double price) {
            to.tick(instrument, price);
        }

        @Override
        public CompletableFuture<Long> placeLater(Order order) {
            return to.placeLater(order);
        }
    }

    /** Runs a trader for some rounds; it looks whether it is to stop before each. */
    private void trade(Orders orders, int rounds) {
        AtomicInteger looks = new AtomicInteger();
        new Trader(orders, log, "T", 0, () -> looks.incrementAndGet() > rounds, wrong::add).run();
    }

    @Test
    void everyMethodIsCalledAndEveryAnswerOfABookIsRight() {
        trade(book, 3 * SymbolBook.KEPT / 16);

        assertEquals(List.of(), wrong);
        for (Call call : Call.values()) {
            assertTrue(log.since(call).getTotalCount() > 0, call.label());
        }
    }

    @Test
    void aWrongOrderIsToldWithWhatWasExpected() {
        trade(new Passing(book) {
            @Override
            public Order find(long id) throws NoSuchOrderException {
                return super.find(id).withId(id + 1);
            }
        }, 1);

        assertEquals(1, wrong.size());
        assertTrue(wrong.get(0).startsWith("find("), wrong.get(0));
    }

    @Test
    void aLostTickIsAWrongReport() {
        AtomicInteger ticks = new AtomicInteger();
        trade(new Passing(book) {
            @Override
            public void tick(long instrument, double price) {
                if (ticks.incrementAndGet() != 1) {
                    super.tick(instrument, price);
                }
            }
        }, LOOKS + 50);

        assertEquals(1, wrong.size());
        assertTrue(wrong.get(0).startsWith("report"), wrong.get(0));
    }

    @Test
    void aServerThatWasStartedAnewIsNoWrongAnswer() {
        AtomicInteger places = new AtomicInteger();
        trade(new Passing(book) {
            @Override
            public long place(Order order) {
                if (places.incrementAndGet() == 20) {
                    to = new OrderBook(8);
                }
                return super.place(order);
            }
        }, LOOKS);

        assertEquals(List.of(), wrong);
    }

    @Test
    void aFailedCallIsCountedUnderItsStatusAndTheTraderGoesOn() {
        AtomicInteger places = new AtomicInteger();
        trade(new Passing(book) {
            @Override
            public long place(Order order) {
                if (places.incrementAndGet() == 20) {
                    throw new RpcException(Status.UNAVAILABLE, "no connection");
                }
                return super.place(order);
            }
        }, LOOKS);

        assertEquals(List.of(), wrong);
        assertEquals(1, log.errors(Call.PLACE));
        assertEquals(1L, log.statuses().get(Status.UNAVAILABLE));
        assertFalse(log.since(Call.SNAPSHOT).getTotalCount() < LOOKS - 5);
    }
}
