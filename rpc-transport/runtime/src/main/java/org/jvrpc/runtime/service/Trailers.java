package org.jvrpc.runtime.service;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * What travels beside an answer: metadata, and what a failure says to programs, which are entries of names that begin
 * with {@code jvrpc-error-}. As an {@link Extension} without a deadline, within its bounds.
 *
 * @param metadata what the server's application put
 * @param details null where there are none, or the peer's make no sense
 */
public record Trailers(Metadata metadata, ErrorDetails details) {

    private static final String OURS = "jvrpc-error-";
    private static final String REASON = OURS + "reason";
    private static final String DOMAIN = OURS + "domain";
    private static final String ENTRY = OURS + "entry";
    private static final String RETRY_AFTER = OURS + "retry-after-ns";

    /**
     * Writes both, which may be null, behind an answer's body; returns how many bytes.
     *
     * @throws org.jvrpc.api.RpcException INVALID_ARGUMENT when that is more than may travel
     */
    public static int write(WireWriter out, Metadata metadata, ErrorDetails details) {
        Metadata all = new Metadata();
        if (metadata != null) {
            all.putAll(metadata);
        }
        if (details != null) {
            putIfAny(all, REASON, details.reason());
            putIfAny(all, DOMAIN, details.domain());
            details.metadata().forEach((name, value) -> all.put(ENTRY, name + '=' + value));
            if (details.retryAfter() != null) {
                boolean never = details.retryAfter().isNegative();
                all.put(RETRY_AFTER, Long.toString(never ? -1 : details.retryAfter().toNanos()));
            }
        }
        return Extension.write(out, 0, all);
    }

    private static void putIfAny(Metadata all, String name, String value) {
        if (!value.isEmpty()) {
            all.put(name, value);
        }
    }

    /** Reads both. @throws org.jvrpc.api.RpcException INTERNAL when the bytes are none */
    public static Trailers read(WireReader in) {
        Metadata others = new Metadata();
        Found found = new Found();
        Extension.read(in).metadata().forEach((name, value) -> {
            if (name.startsWith(OURS)) {
                found.take(name, value);
            } else {
                others.put(name, value);
            }
        });
        return new Trailers(others, found.details());
    }

    /** The details of a peer, which may be anything. */
    private static final class Found {

        private String reason = "";
        private String domain = "";
        private Duration retryAfter;
        private final Map<String, String> entries = new LinkedHashMap<>();
        private boolean any;

        void take(String name, String value) {
            any = true;
            switch (name) {
                case REASON -> reason = value;
                case DOMAIN -> domain = value;
                case ENTRY -> {
                    int end = value.indexOf('=');
                    entries.put(value.substring(0, Math.max(0, end)), value.substring(end + 1));
                }
                case RETRY_AFTER -> retryAfter = duration(value);
                default -> { // of a later version
                }
            }
        }

        private static Duration duration(String text) {
            try {
                return Duration.ofNanos(Long.parseLong(text));
            } catch (NumberFormatException e) {
                return null;
            }
        }

        ErrorDetails details() {
            try {
                return any ? new ErrorDetails(reason, domain, entries, retryAfter) : null;
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }
}
