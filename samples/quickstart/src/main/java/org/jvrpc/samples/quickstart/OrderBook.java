package org.jvrpc.samples.quickstart;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * Orders in memory, the last {@value SymbolBook#KEPT} of each of the {@value #MAX_SYMBOLS} symbols last used: it may
 * run for any time.
 *
 * <p>Any thread: the server's poller calls the light methods one at a time, its executor calls {@link #report}
 * meanwhile. What both need is under the lock, and for no longer than the poller may wait: a report takes a copy there
 * and counts outside.
 */
public final class OrderBook implements Orders {

    /** How many symbols are kept. */
    static final int MAX_SYMBOLS = 256;
    /** How many instruments are kept. */
    static final int MAX_INSTRUMENTS = 1024;
    /** The longest symbol, in characters. */
    static final int MAX_SYMBOL_LENGTH = 32;
    /** The most legs of an order. */
    static final int MAX_LEGS = 8;

    private static final long IDS_PER_SYMBOL = 1L << 40;

    private final long number;
    private final Map<Long, SymbolBook> bySymbolNumber = new HashMap<>();
    private final Map<String, Symbol> symbols = new Bounded<>(MAX_SYMBOLS, gone -> bySymbolNumber.remove(gone.number));
    private final Map<Long, Quote> quotes = new Bounded<>(MAX_INSTRUMENTS, gone -> { });
    private long lastSymbol;
    private long placed;
    private long ticks;

    private record Symbol(long number, SymbolBook book) {
    }

    private static final class Quote {
        private long ticks;
        private double price = Double.NaN;
    }

    /** Makes an empty book; {@code number} tells it from those of other lives of the server. */
    public OrderBook(long number) {
        this.number = number;
    }

    @Override
    public synchronized long place(Order order) {
        check(order);
        Symbol symbol = symbols.get(order.symbol());
        if (symbol == null) {
            long next = ++lastSymbol;
            symbol = new Symbol(next, new SymbolBook(next * IDS_PER_SYMBOL));
            bySymbolNumber.put(next, symbol.book);
            symbols.put(order.symbol(), symbol);
        }
        placed++;
        return symbol.book.add(order);
    }

    /** What an implementation throws on purpose has a status; anything else arrives as UNKNOWN. */
    private static void check(Order order) {
        int length = order.symbol().length();
        if (length == 0 || length > MAX_SYMBOL_LENGTH || order.quantity() <= 0 || order.legs().size() > MAX_LEGS) {
            throw new RpcException(Status.INVALID_ARGUMENT, "an order needs a symbol of 1 to " + MAX_SYMBOL_LENGTH
                    + " characters, a quantity and up to " + MAX_LEGS + " legs: symbol.length=" + length
                    + " quantity=" + order.quantity() + " legs=" + order.legs().size());
        }
    }

    @Override
    public synchronized Order find(long id) throws NoSuchOrderException {
        SymbolBook book = bySymbolNumber.get(id / IDS_PER_SYMBOL);
        Order found = book == null ? null : book.find(id);
        if (found == null) {
            throw new NoSuchOrderException(id);
        }
        return found;
    }

    @Override
    public byte[] snapshot(String symbol) {
        return Snapshot.encode(latest(symbol, Snapshot.DEPTH));
    }

    private synchronized List<Order> latest(String name, int limit) {
        Symbol symbol = symbols.get(name);
        return symbol == null ? List.of() : symbol.book.latest(limit);
    }

    @Override
    public Report report(Query query) {
        List<Order> orders;
        long placedOfSymbol;
        Quote quote;
        synchronized (this) {
            Symbol symbol = symbols.get(query.symbol());
            orders = symbol == null ? List.of() : symbol.book.latest(SymbolBook.KEPT);
            placedOfSymbol = symbol == null ? 0 : symbol.book.placed();
            quote = copy(quotes.get(query.instrument()));
        }
        Map<Side, Long> quantityBySide = new EnumMap<>(Side.class);
        for (Order order : orders) {
            quantityBySide.merge(order.side(), (long) order.quantity(), Long::sum);
        }
        return new Report(number, placedOfSymbol, quantityBySide, quote.ticks, quote.price);
    }

    private static Quote copy(Quote quote) {
        Quote copy = new Quote();
        if (quote != null) {
            copy.ticks = quote.ticks;
            copy.price = quote.price;
        }
        return copy;
    }

    @Override
    public synchronized void tick(long instrument, double price) {
        Quote quote = quotes.get(instrument);
        if (quote == null) {
            quote = new Quote();
            quotes.put(instrument, quote);
        }
        quote.ticks++;
        quote.price = price;
        ticks++;
    }

    /** Done at once here; an implementation may complete the future whenever and on whichever thread it likes. */
    @Override
    public CompletableFuture<Long> placeLater(Order order) {
        return CompletableFuture.completedFuture(place(order));
    }

    /** Returns how many orders were ever placed. */
    synchronized long placed() {
        return placed;
    }

    /** Returns how many prices were ever told. */
    synchronized long ticks() {
        return ticks;
    }
}
