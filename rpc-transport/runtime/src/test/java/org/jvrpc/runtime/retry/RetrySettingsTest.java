package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;

/** Which policy a method has, and what policies may say. */
class RetrySettingsTest {

    private static final String SERVICE = WorkService.GET.service();
    private final RetrySettings settings = new RetrySettings();

    @Test
    void theNearestNameWins() {
        RetryPolicy all = RetryPolicy.DEFAULT.withMaxAttempts(2);
        RetryPolicy service = RetryPolicy.DEFAULT.withMaxAttempts(4);
        RetryPolicy one = RetryPolicy.DEFAULT.withMaxAttempts(5);
        assertSame(MethodPolicy.NONE, settings.policyOf(WorkService.GET));
        settings.retry(RetrySettings.ALL, all);
        assertSame(all, settings.policyOf(WorkService.GET).retry());
        settings.retry(SERVICE + "/*", service);
        settings.retry("other/*", all);
        assertSame(service, settings.policyOf(WorkService.GET).retry());
        settings.retry(SERVICE + "/get", one);
        assertSame(one, settings.policyOf(WorkService.GET).retry());
        assertSame(service, settings.policyOf(WorkService.PUT).retry());
    }

    @Test
    void onlyIdempotentMethodsAreHedged() {
        settings.retry(RetrySettings.ALL, RetryPolicy.DEFAULT);
        settings.hedge(RetrySettings.ALL, HedgingPolicy.DEFAULT);
        assertSame(HedgingPolicy.DEFAULT, settings.policyOf(WorkService.GET).hedging());
        assertNull(settings.policyOf(WorkService.PUT).hedging());
        assertSame(RetryPolicy.DEFAULT, settings.policyOf(WorkService.PUT).retry());
        settings.hedge(SERVICE + "/put", HedgingPolicy.DEFAULT);
        String why = assertThrows(IllegalArgumentException.class, () -> settings.policyOf(WorkService.PUT))
                .getMessage();
        assertTrue(why.contains(SERVICE + "/put"), why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "get", "/", "/get", "a/", "a/b/c", "a/g*", "*/get", "**", "a*"})
    void whatNamesNoMethodsIsRefused(String methods) {
        assertThrows(IllegalArgumentException.class, () -> settings.retry(methods, RetryPolicy.DEFAULT));
        assertThrows(IllegalArgumentException.class, () -> settings.hedge(methods, HedgingPolicy.DEFAULT));
    }

    @Test
    void valuesOutOfTheirRangesAreRefusedByName() {
        RetryPolicy policy = RetryPolicy.DEFAULT;
        assertRefused("maxAttempts=1", () -> policy.withMaxAttempts(1));
        assertRefused("maxAttempts=6", () -> policy.withMaxAttempts(6));
        assertRefused("initialBackoff=PT0S", () -> policy.withInitialBackoff(Duration.ZERO));
        assertRefused("maxBackoff=PT25H", () -> policy.withMaxBackoff(Duration.ofHours(25)));
        assertRefused("backoffMultiplier=NaN", () -> policy.withBackoffMultiplier(Double.NaN));
        assertRefused("OK", () -> policy.withRetryableStatusCodes(Status.OK));
        assertRefused("empty", policy::withRetryableStatusCodes);
        assertRefused("hedgingDelay=PT-1S", () -> HedgingPolicy.DEFAULT.withHedgingDelay(Duration.ofSeconds(-1)));
        assertRefused("maxTokens=0", () -> new RetryThrottling(0, 1));
        assertRefused("tokenRatio=0.0", () -> new RetryThrottling(1, 0));
        assertRefused("perCallBufferLimit=-1", () -> settings.bufferLimit(-1));
        assertEquals(Duration.ZERO, HedgingPolicy.DEFAULT.withHedgingDelay(Duration.ZERO).hedgingDelay());
    }

    private static void assertRefused(String what, org.junit.jupiter.api.function.Executable set) {
        String why = assertThrows(IllegalArgumentException.class, set).getMessage();
        assertTrue(why.contains(what), why);
    }
}
