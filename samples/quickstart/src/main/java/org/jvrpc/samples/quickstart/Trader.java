package org.jvrpc.samples.quickstart;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;

/**
 * One thread that calls every method and checks every answer. It has a symbol and an instrument to itself, so that it
 * knows what the server must answer, whoever else calls it. When a call fails it cannot know whether the server has
 * done it: it goes on with a fresh symbol.
 */
final class Trader implements Runnable {

    private static final int PLACES = 8;
    private static final int IN_FLIGHT = 8;
    private static final int ROUNDS_PER_REPORT = 16;
    private static final long PAUSE_NS = 10_000_000;

    private final Orders orders;
    private final CallLog log;
    private final String name;
    private final BooleanSupplier stopped;
    private final Consumer<String> wrong;
    private Call current;
    private long life;
    private long rounds;
    private String symbol;
    private long instrument;
    private long book;
    private long placed;
    private long lastId;
    private long ticks;

    /**
     * Makes one.
     *
     * @param name no other trader of the same server has it
     * @param instrument the first of 2^20 instruments that no other trader tells prices of
     * @param wrong is told of each wrong answer
     */
    Trader(Orders orders, CallLog log, String name, long instrument, BooleanSupplier stopped, Consumer<String> wrong) {
        this.orders = orders;
        this.log = log;
        this.name = name;
        this.instrument = instrument;
        this.stopped = stopped;
        this.wrong = wrong;
    }

    /** The nth order that a trader places: all that it needs to know what is in the book. */
    static Order order(String symbol, long n) {
        List<Leg> legs = n % 4 == 0 ? List.of(new Leg(n, 1), new Leg(n + 1, -1)) : List.of();
        return new Order(0, symbol, n % 3 == 0 ? Side.SELL : Side.BUY, 1 + (int) (n % 100), 100 + n % 64 * 0.25, legs);
    }

    @Override
    public void run() {
        startAfresh();
        while (!stopped.getAsBoolean()) {
            try {
                round();
            } catch (RpcException e) {
                log.failed(current, e.status());
                startAfresh();
                LockSupport.parkNanos(PAUSE_NS);
            } catch (WrongAnswerException e) {
                if (!isOtherBook()) {
                    wrong.accept(e.getMessage());
                }
                startAfresh();
            }
        }
    }

    private void startAfresh() {
        life++;
        symbol = name + "." + life;
        instrument++;
        book = 0;
        placed = 0;
        ticks = 0;
    }

    /** A server that was started anew knows nothing of this trader; that is no wrong answer. */
    private boolean isOtherBook() {
        try {
            return orders.report(new Query(symbol, instrument)).book() != book;
        } catch (RpcException e) {
            log.failed(Call.REPORT, e.status());
            return true;
        }
    }

    private void round() throws WrongAnswerException {
        if (rounds++ % ROUNDS_PER_REPORT == 0 || book == 0) {
            report();
        }
        for (int i = 0; i < PLACES; i++) {
            place();
            find();
            tick();
            tick();
        }
        placeLater();
        findMissing();
        snapshot();
    }

    private void place() throws WrongAnswerException {
        current = Call.PLACE;
        Order order = order(symbol, placed);
        long begunNs = System.nanoTime();
        long id = orders.place(order);
        log.took(Call.PLACE, System.nanoTime() - begunNs);
        placedAs(id);
    }

    /** The numbers of a symbol's orders follow one another. */
    private void placedAs(long id) throws WrongAnswerException {
        if (placed > 0 && id != lastId + 1) {
            throw new WrongAnswerException(current.label() + " of order " + placed + " of " + symbol, lastId + 1, id);
        }
        placed++;
        lastId = id;
    }

    private void find() throws WrongAnswerException {
        current = Call.FIND;
        Order expected = order(symbol, placed - 1).withId(lastId);
        Order found;
        long begunNs = System.nanoTime();
        try {
            found = orders.find(lastId);
        } catch (NoSuchOrderException e) {
            throw new WrongAnswerException("find(" + lastId + ")", expected, e);
        }
        log.took(Call.FIND, System.nanoTime() - begunNs);
        if (!expected.equals(found)) {
            throw new WrongAnswerException("find(" + lastId + ")", expected, found);
        }
    }

    private void findMissing() throws WrongAnswerException {
        current = Call.FIND_MISSING;
        long missing = lastId + 1;
        long begunNs = System.nanoTime();
        try {
            throw new WrongAnswerException("find(" + missing + ")", "NoSuchOrderException", orders.find(missing));
        } catch (NoSuchOrderException e) {
            log.took(Call.FIND_MISSING, System.nanoTime() - begunNs);
            if (e.id() != missing) {
                throw new WrongAnswerException("NoSuchOrderException.id()", missing, e.id());
            }
        }
    }

    private void snapshot() throws WrongAnswerException {
        current = Call.SNAPSHOT;
        long begunNs = System.nanoTime();
        byte[] bytes = orders.snapshot(symbol);
        log.took(Call.SNAPSHOT, System.nanoTime() - begunNs);
        int expected = (int) Math.min(placed, Snapshot.DEPTH);
        if (Snapshot.size(bytes) != expected) {
            throw new WrongAnswerException("size of snapshot(" + symbol + ")", expected, Snapshot.size(bytes));
        }
        for (int i = 0; i < expected; i++) {
            Order order = order(symbol, placed - 1 - i);
            int quantity = order.side() == Side.BUY ? order.quantity() : -order.quantity();
            if (Snapshot.id(bytes, i) != lastId - i || Snapshot.signedQuantity(bytes, i) != quantity
                    || Snapshot.price(bytes, i) != order.price()) {
                throw new WrongAnswerException("entry " + i + " of snapshot(" + symbol + ")", order.withId(lastId - i),
                        Snapshot.id(bytes, i) + " " + Snapshot.signedQuantity(bytes, i) + " at "
                                + Snapshot.price(bytes, i));
            }
        }
    }

    private void tick() {
        current = Call.TICK;
        long begunNs = System.nanoTime();
        orders.tick(instrument, ticks + 1);
        log.took(Call.TICK, System.nanoTime() - begunNs);
        ticks++;
    }

    private void placeLater() throws WrongAnswerException {
        current = Call.PLACE_LATER;
        long[] begunNs = new long[IN_FLIGHT];
        List<CompletableFuture<Long>> answers = new ArrayList<>(IN_FLIGHT);
        for (int i = 0; i < IN_FLIGHT; i++) {
            Order order = order(symbol, placed + i);
            begunNs[i] = System.nanoTime();
            answers.add(orders.placeLater(order));
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            long id = join(answers.get(i));
            log.took(Call.PLACE_LATER, System.nanoTime() - begunNs[i]);
            placedAs(id);
        }
    }

    private static long join(CompletableFuture<Long> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RpcException failure ? failure : e;
        }
    }

    /** Messages of one thread arrive in order: the report knows all prices that went before it. */
    private void report() throws WrongAnswerException {
        current = Call.REPORT;
        long begunNs = System.nanoTime();
        Report report = orders.report(new Query(symbol, instrument));
        log.took(Call.REPORT, System.nanoTime() - begunNs);
        if (book == 0) {
            book = report.book();
        }
        Report expected = new Report(book, placed, quantityBySide(), ticks, ticks == 0 ? Double.NaN : ticks);
        if (!expected.equals(report)) {
            throw new WrongAnswerException("report of " + symbol, expected, report);
        }
    }

    private Map<Side, Long> quantityBySide() {
        Map<Side, Long> sums = new EnumMap<>(Side.class);
        for (long n = Math.max(0, placed - SymbolBook.KEPT); n < placed; n++) {
            Order order = order(symbol, n);
            sums.merge(order.side(), (long) order.quantity(), Long::sum);
        }
        return sums;
    }
}
