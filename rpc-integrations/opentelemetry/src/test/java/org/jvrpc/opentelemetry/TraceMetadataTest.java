package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.BaggageBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Context;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Metadata;

/** Traces and baggage as metadata. */
class TraceMetadataTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    private static Context context(TraceState state) {
        return Context.root().with(Span.wrap(SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), state)));
    }

    @Test
    void traceparentAndTracestateAreAsW3cHasThem() {
        Metadata metadata = new Metadata();
        TraceState state = TraceState.builder().put("vendor", "value").build();
        TraceMetadata.inject(context(state), metadata);
        assertEquals("00-" + TRACE + "-" + SPAN + "-01", metadata.get("traceparent"));
        assertEquals("vendor=value", metadata.get("tracestate"));
        SpanContext read = Span.fromContext(TraceMetadata.extract(Context.root(), metadata)).getSpanContext();
        assertEquals(TRACE, read.getTraceId());
        assertEquals(state, read.getTraceState());
        assertTrue(read.isRemote());
    }

    @Test
    void whatIsLongerThanAnEntryIsCutBetweenMembers() {
        TraceStateBuilder state = TraceState.builder();
        BaggageBuilder baggage = Baggage.builder();
        for (int i = 0; i < 20; i++) {
            state.put("k" + i, "v".repeat(200));
            baggage.put("k" + i, "v".repeat(200));
        }
        baggage.put("long", "v".repeat(2000));
        Metadata metadata = new Metadata();
        TraceMetadata.inject(context(state.build()).with(baggage.build()), metadata);
        metadata.forEach((name, value) -> assertTrue(value.length() <= Metadata.MAX_ENTRY_BYTES, name));
        Context read = TraceMetadata.extract(Context.root(), metadata);
        assertEquals(20, Baggage.fromContext(read).size());
        assertEquals(TRACE, Span.fromContext(read).getSpanContext().getTraceId());
        int kept = Span.fromContext(read).getSpanContext().getTraceState().size();
        assertTrue(kept == 4 || kept == 5, "members of tracestate=" + kept);
    }

    @Test
    void baggageEndsAtItsLimit() {
        BaggageBuilder baggage = Baggage.builder();
        for (int i = 0; i < 60; i++) {
            baggage.put("k" + i, "v".repeat(200));
        }
        Metadata metadata = new Metadata();
        TraceMetadata.inject(Context.root().with(baggage.build()), metadata);
        int[] chars = new int[1];
        metadata.forEach((name, value) -> chars[0] += value.length() + 1);
        assertTrue(chars[0] > 7000 && chars[0] <= 8192, "chars=" + chars[0]);
    }

    @Test
    void whatIsNoTraceparentIsNone() {
        for (String bad : new String[] {"", "00", "x".repeat(55), "00-" + TRACE + "-" + SPAN + "-0g"}) {
            assertFalse(TraceMetadata.isSampled(bad), bad);
            Metadata metadata = new Metadata().put("traceparent", bad).put("baggage", bad);
            Context read = TraceMetadata.extract(Context.root(), metadata);
            assertFalse(Span.fromContext(read).getSpanContext().isValid(), bad);
        }
        assertTrue(TraceMetadata.isSampled("00-" + TRACE + "-" + SPAN + "-03"));
        assertFalse(TraceMetadata.isSampled("00-" + TRACE + "-" + SPAN + "-02"));
    }
}
