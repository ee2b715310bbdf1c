package org.jvrpc.runtime.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Answers from maps that tests fill. */
public final class QuotesImpl implements Quotes {

    /** The answers of {@link #last}; 0 for those that are not there. */
    public final Map<Long, Long> last = new ConcurrentHashMap<>();
    /** The answers of {@link #name}. */
    public final Map<String, String> names = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();

    @Override
    public long last(long instrument) {
        asked.incrementAndGet();
        return last.getOrDefault(instrument, 0L);
    }

    @Override
    public Quote quote(long instrument) throws Unknown {
        asked.incrementAndGet();
        if (instrument < 0) {
            throw new Unknown("instrument=" + instrument);
        }
        if (instrument == Long.MAX_VALUE) {
            throw new IllegalStateException("of no account");
        }
        return new Quote(instrument, instrument / 8.0, "venue of " + instrument);
    }

    @Override
    public String name(String symbol) {
        asked.incrementAndGet();
        return names.get(symbol);
    }

    @Override
    public List<Quote> book(Query query) {
        asked.incrementAndGet();
        List<Quote> quotes = new ArrayList<>();
        for (int i = 0; i < query.depth(); i++) {
            quotes.add(new Quote(i, i * 1.5, query.venue()));
        }
        return quotes;
    }

    @Override
    public byte[] document(String name) {
        asked.incrementAndGet();
        return Bytes.of(name.length() * 100, name.length());
    }

    @Override
    public long lastOfServer(long instrument) {
        return last.getOrDefault(instrument, 0L);
    }

    @Override
    public long last(long instrument, int back) {
        return last(instrument) - back;
    }

    @Override
    public long asked() {
        return asked.get();
    }
}
