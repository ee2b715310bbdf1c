package org.jvrpc.spring.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code jvrpc.tracing}: see {@code JvrpcTracing.Builder}.
 *
 * @param enabled whether calls are traced where {@code jvrpc-opentelemetry} and an {@code OpenTelemetry} are there
 * @param clientRoots which part of the calls begins a trace that clients make outside any span, 0 to 1
 * @param serverRoots which part of the calls begins a trace that come to servers without one, 0 to 1
 * @param propagateUnsampled whether calls in a span that is not sampled tell the server of its trace
 * @param logs which handlers have the names of their call in the MDC
 */
public record TracingProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1.0") Double clientRoots,
        @DefaultValue("0.0") Double serverRoots,
        @DefaultValue("false") boolean propagateUnsampled,
        @DefaultValue("traced") Logs logs) {

    /** As {@code LogContext} of {@code jvrpc-opentelemetry}, which may be absent. */
    public enum Logs {
        /** None. */
        NONE,
        /** Those of calls with a span. */
        TRACED,
        /** All. */
        ALL
    }

    public TracingProperties {
        part("client-roots", clientRoots);
        part("server-roots", serverRoots);
    }

    private static void part(String name, double part) {
        if (!(part >= 0 && part <= 1)) {
            throw Property.invalid(JvrpcProperties.PREFIX + ".tracing." + name, part, "it is a part, from 0 for none to"
                    + " 1 for all");
        }
    }
}
