package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * Several sources as one. Where two have the same counter, the first that can read it has it; where none can, the first
 * one's reason stands. One thread.
 */
public final class CounterTable implements AutoCloseable {

    private record Key(String device, int port, String name) { }

    private final List<CounterSource> sources;
    private final boolean all;

    private CounterTable(List<CounterSource> sources, boolean all) {
        this.sources = List.copyOf(sources);
        this.all = all;
    }

    /** Makes one of sources, which become its own. */
    public static CounterTable of(List<CounterSource> sources) {
        return new CounterTable(sources, false);
    }

    /** Makes one that has all readings of all sources, the same counter several times. */
    public static CounterTable ofEach(List<CounterSource> sources) {
        return new CounterTable(sources, true);
    }

    /** Reads all. */
    public List<Counted> read() {
        List<Counted> each = new ArrayList<>();
        Map<Key, Counted> best = new LinkedHashMap<>();
        for (CounterSource source : sources) {
            for (Reading reading : source.read()) {
                Counted counted = new Counted(reading, source.origin(), source.bits(reading.name()));
                each.add(counted);
                best.merge(new Key(reading.device(), reading.port(), reading.name()), counted,
                        (old, other) -> old.reading().isReadable() ? old : other.reading().isReadable() ? other : old);
            }
        }
        return all ? each : new ArrayList<>(best.values());
    }

    /** Closes all sources. */
    @Override
    public void close() {
        sources.forEach(CounterSource::close);
    }
}
