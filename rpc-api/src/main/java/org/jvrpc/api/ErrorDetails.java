package org.jvrpc.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Details of a failure for programs, beside its status and its text: the fields of google.rpc.ErrorInfo and RetryInfo.
 * A handler throws it with {@link RpcException#withDetails}, or a publisher of either side fails with it; it travels to
 * peers that understand it. Immutable.
 *
 * @param reason why, the same for the same cause, up to 63 of {@code A-Z 0-9 _}, beginning with a letter; empty for
 *     none
 * @param domain whose reason it is, for instance {@code orders.acme.org}, up to 253 characters; empty for none
 * @param metadata more about it, up to 32 entries: names of up to 64 of {@code a-z A-Z 0-9 _ - .}, values of up to 900
 *     characters
 * @param retryAfter how long a client should wait before it makes the call again; negative for never, null where
 *     nothing is said
 */
public record ErrorDetails(String reason, String domain, Map<String, String> metadata,
        @Nullable Duration retryAfter) {

    /** The most entries of {@link #metadata()}. */
    public static final int MAX_ENTRIES = 32;
    private static final int MAX_DOMAIN = 253;
    private static final int MAX_VALUE = 900;
    private static final Pattern REASON = Pattern.compile("[A-Z][A-Z0-9_]{0,62}|");
    private static final Pattern KEY = Pattern.compile("[a-zA-Z0-9_.-]{1,64}");
    private static final Duration NEVER = Duration.ofNanos(-1);
    private static final Duration LONGEST = Duration.ofDays(365);

    /** @throws IllegalArgumentException when a part is longer than it may be, or has other characters */
    public ErrorDetails {
        if (!REASON.matcher(Objects.requireNonNull(reason, "reason")).matches()) {
            throw new IllegalArgumentException("reason must be up to 63 of A-Z 0-9 _, from a letter on, reason="
                    + shorten(reason));
        }
        if (Objects.requireNonNull(domain, "domain").length() > MAX_DOMAIN) {
            throw new IllegalArgumentException("domain is too long: chars=" + domain.length() + " limit="
                    + MAX_DOMAIN);
        }
        if (metadata.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException("too many entries of metadata: entries=" + metadata.size() + " limit="
                    + MAX_ENTRIES);
        }
        metadata.forEach(ErrorDetails::checkEntry);
        if (retryAfter != null && retryAfter.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("retryAfter must be up to " + LONGEST + ", retryAfter=" + retryAfter);
        }
        metadata = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    private static void checkEntry(String name, String value) {
        if (!KEY.matcher(name).matches()) {
            throw new IllegalArgumentException("metadata name must be 1 to 64 of a-z A-Z 0-9 _ - ., name="
                    + shorten(name));
        }
        if (value.length() > MAX_VALUE) {
            throw new IllegalArgumentException("metadata value is too long: name=" + name + " chars=" + value.length()
                    + " limit=" + MAX_VALUE);
        }
    }

    private static String shorten(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /** Says why, and whose reason it is. */
    public static ErrorDetails of(String reason, String domain) {
        return new ErrorDetails(reason, domain, Map.of(), null);
    }

    /** Says when the call may be made again, and nothing else. */
    public static ErrorDetails retryAfter(Duration pause) {
        return new ErrorDetails("", "", Map.of(), pause);
    }

    /** Says that the call must not be made again, and nothing else. */
    public static ErrorDetails noRetry() {
        return retryAfter(NEVER);
    }

    /** Returns the same with one entry more. */
    public ErrorDetails with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(metadata);
        more.put(name, Objects.requireNonNull(value, () -> "value of name=" + name));
        return new ErrorDetails(reason, domain, more, retryAfter);
    }

    /** Returns the same with another {@link #retryAfter()}. */
    public ErrorDetails withRetryAfter(@Nullable Duration pause) {
        return new ErrorDetails(reason, domain, metadata, pause);
    }
}
