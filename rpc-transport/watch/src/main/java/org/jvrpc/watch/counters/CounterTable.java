package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * Several sources as one. Where two have the same counter, the first that can read it has it; where none can, the first
 * one's reason stands. One thread.
 */
public final class CounterTable implements AutoCloseable {

    private static final Comparator<Counted> ORDER = Comparator.comparing((Counted one) -> one.reading().device())
            .thenComparingInt(one -> one.reading().port()).thenComparing(one -> one.reading().name());

    private record Key(String device, int port, String name) { }

    private final List<CounterSource> sources;
    private final boolean all;
    private final LongSupplier nowNs;

    private CounterTable(List<CounterSource> sources, boolean all, LongSupplier nowNs) {
        this.sources = List.copyOf(sources);
        this.all = all;
        this.nowNs = nowNs;
    }

    /** Makes one of sources, which become its own. */
    public static CounterTable of(List<CounterSource> sources) {
        return of(sources, System::nanoTime);
    }

    /**
     * Makes one of sources, which become its own.
     *
     * @param nowNs the time, monotonic; each source is read at its own, as programs take theirs
     */
    public static CounterTable of(List<CounterSource> sources, LongSupplier nowNs) {
        return new CounterTable(sources, false, nowNs);
    }

    /** Makes one that has all readings of all sources, the same counter several times. */
    public static CounterTable ofEach(List<CounterSource> sources, LongSupplier nowNs) {
        return new CounterTable(sources, true, nowNs);
    }

    /** Reads all. Returns them by device, port and name; of each source by itself, in its order. */
    public List<Counted> read() {
        List<Counted> each = new ArrayList<>();
        Map<Key, Counted> best = new LinkedHashMap<>();
        for (CounterSource source : sources) {
            long atNs = nowNs.getAsLong();
            for (Reading reading : source.read()) {
                Counted counted = new Counted(reading, source.origin(), source.bits(reading.name()), atNs);
                each.add(counted);
                best.merge(new Key(reading.device(), reading.port(), reading.name()), counted,
                        (old, other) -> old.reading().isReadable() ? old : other.reading().isReadable() ? other : old);
            }
        }
        if (all) {
            return each;
        }
        List<Counted> sorted = new ArrayList<>(best.values());
        sorted.sort(ORDER);
        return sorted;
    }

    /** Closes all sources. */
    @Override
    public void close() {
        sources.forEach(CounterSource::close);
    }
}
