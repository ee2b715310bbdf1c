package org.jvrpc.runtime;

import java.util.List;
import java.util.function.Function;
import org.jvrpc.runtime.contract.Quotes;

/** Answers {@link Quotes#book} by a function, and nothing else. */
public record BookQuotes(Function<Query, List<Quotes.Quote>> books) implements Quotes {

    @Override
    public List<Quote> book(Query query) {
        return books.apply(query);
    }

    @Override
    public long last(long instrument) {
        throw new UnsupportedOperationException("last");
    }

    @Override
    public Quote quote(long instrument) {
        throw new UnsupportedOperationException("quote");
    }

    @Override
    public String name(String symbol) {
        throw new UnsupportedOperationException("name");
    }

    @Override
    public byte[] document(String name) {
        throw new UnsupportedOperationException("document");
    }

    @Override
    public long lastOfServer(long instrument) {
        throw new UnsupportedOperationException("lastOfServer");
    }

    @Override
    public long last(long instrument, int back) {
        throw new UnsupportedOperationException("last");
    }

    @Override
    public long asked() {
        throw new UnsupportedOperationException("asked");
    }
}
