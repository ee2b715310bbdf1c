package org.jvrpc.watch.drift;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.jvrpc.watch.drift.ConfigurationSource.Kind;

/** Compares what is wanted with what there is. Changes nothing. */
public final class Differ {

    private final Desired desired;
    private final Sightings sightings;
    private final List<Difference> differences = new ArrayList<>();
    private final List<Drift.Unreadable> unreadable = new ArrayList<>();
    private int same;

    private Differ(Desired desired, Sightings sightings) {
        this.desired = desired;
        this.sightings = sightings;
    }

    /**
     * Looks at all, once.
     *
     * @param sightings learns what is found, wanted or not
     * @param nowMs wall clock
     */
    public static Drift look(Desired desired, List<ConfigurationSource> sources, Sightings sightings, long nowMs) {
        Differ differ = new Differ(desired, sightings);
        for (ConfigurationSource source : sources) {
            differ.look(source, nowMs);
        }
        return new Drift(List.copyOf(differ.differences), List.copyOf(differ.unreadable), differ.same,
                desired.unmet(sources));
    }

    private void look(ConfigurationSource source, long nowMs) {
        SortedMap<String, Setting> found = source.read();
        SortedMap<String, String> wanted = desired.of(source.kind(), source.subject());
        for (Map.Entry<String, Setting> entry : found.entrySet()) {
            Setting setting = entry.getValue();
            Schema.Key key = Schema.key(source.kind(), entry.getKey());
            if (key != null && setting.refusal() == null && !wanted.containsKey(entry.getKey())) {
                see(source, entry.getKey(), key, setting.value(), nowMs);
            }
        }
        for (Map.Entry<String, String> entry : wanted.entrySet()) {
            compare(source, entry.getKey(), entry.getValue(), found.get(entry.getKey()), nowMs);
        }
    }

    private Sightings.Seen see(ConfigurationSource source, String name, Schema.Key key, String value, long nowMs) {
        try {
            return sightings.see(source.kind(), source.subject(), name, key.form().normal(value), nowMs);
        } catch (IllegalArgumentException e) {
            return null; // nobody wants it, so that it need not be understood
        }
    }

    private void compare(ConfigurationSource source, String name, String wanted, Setting setting, long nowMs) {
        Kind kind = source.kind();
        String subject = source.subject();
        if (setting == null || setting.refusal() != null) {
            unreadable.add(new Drift.Unreadable(kind, subject, name, setting != null ? setting.refusal()
                    : "not told for a " + kind.name().toLowerCase(Locale.ROOT)));
            return;
        }
        Form form = Schema.key(kind, name).form();
        String found;
        try {
            found = form.normal(setting.value());
        } catch (IllegalArgumentException e) {
            unreadable.add(new Drift.Unreadable(kind, subject, name, "found " + e.getMessage()));
            return;
        }
        Sightings.Seen seen = sightings.see(kind, subject, name, found, nowMs);
        if (form.same(wanted, found)) {
            same++;
        } else {
            differences.add(new Difference(kind, subject, name, form.shown(wanted), form.shown(found), seen.sinceMs(),
                    seen.otherMs(), Remedy.of(kind, subject, name, form.shown(wanted), source.place())));
        }
    }
}
