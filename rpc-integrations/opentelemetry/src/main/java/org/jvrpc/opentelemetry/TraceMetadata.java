package org.jvrpc.opentelemetry;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.Metadata;

/**
 * Traces and baggage in the metadata of calls, as W3C's headers have them. What is longer than an entry of metadata may
 * be is cut between two members: baggage goes on in another entry of its name, tracestate ends there. Stateless.
 */
final class TraceMetadata {

    static final String PARENT = "traceparent";
    static final String BAGGAGE = "baggage";
    /** W3C's limit for all of it, in characters. */
    private static final int MOST_BAGGAGE = 8192;
    private static final int PARENT_CHARS = 55;
    private static final int FLAGS = PARENT_CHARS - 1;
    private static final int HEX = 16;

    private static final TextMapPropagator BOTH = TextMapPropagator.composite(
            W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance());
    private static final TextMapSetter<Metadata> SETTER = TraceMetadata::put;
    private static final TextMapGetter<Metadata> GETTER = new Getter();

    private TraceMetadata() {
    }

    static void inject(Context context, Metadata metadata) {
        BOTH.inject(context, metadata, SETTER);
    }

    static Context extract(Context context, Metadata metadata) {
        return BOTH.extract(context, metadata, GETTER);
    }

    /** Returns true when a traceparent says that its trace is sampled; allocates nothing. */
    static boolean isSampled(String parent) {
        int flags = parent.length() < PARENT_CHARS ? 0 : Character.digit(parent.charAt(FLAGS), HEX);
        return flags > 0 && (flags & 1) != 0;
    }

    private static void put(Metadata metadata, String name, String value) {
        if (metadata == null) {
            return;
        }
        if (value.length() <= Metadata.MAX_ENTRY_BYTES) {
            metadata.put(name, value);
            return;
        }
        List<String> parts = parts(value);
        for (String part : name.equals(BAGGAGE) ? parts : parts.subList(0, Math.min(1, parts.size()))) {
            metadata.put(name, part);
        }
    }

    /** Packs members, between commas, into entries; leaves out those that are longer than one. */
    private static List<String> parts(String value) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int all = 0;
        for (String member : value.split(",")) {
            all += member.length() + 1;
            if (member.length() > Metadata.MAX_ENTRY_BYTES || all > MOST_BAGGAGE) {
                continue;
            }
            if (part.length() + 1 + member.length() > Metadata.MAX_ENTRY_BYTES) {
                parts.add(part.toString());
                part.setLength(0);
            }
            part.append(part.isEmpty() ? "" : ",").append(member);
        }
        if (!part.isEmpty()) {
            parts.add(part.toString());
        }
        return parts;
    }

    private static final class Getter implements TextMapGetter<Metadata> {

        @Override
        public String get(Metadata metadata, String key) {
            if (metadata == null || !key.equals(BAGGAGE)) {
                return metadata == null ? null : metadata.get(key);
            }
            StringBuilder all = new StringBuilder();
            metadata.forEach((name, value) -> {
                if (name.equals(BAGGAGE)) {
                    all.append(all.isEmpty() ? "" : ",").append(value);
                }
            });
            return all.isEmpty() ? null : all.toString();
        }
    }
}
