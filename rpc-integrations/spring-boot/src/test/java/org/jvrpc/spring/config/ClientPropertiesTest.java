package org.jvrpc.spring.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcClients;
import org.jvrpc.spring.JvrpcService;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Slow;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;

class ClientPropertiesTest {

    @ImportJvrpcClients(value = "orders", types = Slow.class)
    static class Calls {
    }

    /** Fails its first call. */
    @JvrpcService
    static class Flaky implements Slow {
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public String work(String what) {
            if (calls.incrementAndGet() == 1) {
                throw new RpcException(Status.ABORTED, "the first");
            }
            return "call " + calls.get();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "address                          | 'a b'     | an address begins with a scheme",
        "load-balancing                   | best      | there are [least_request, nearest, pick_first",
        "slots                            | 5000      | slots must be 1 to 4096",
        "slot-size                        | 1B        | slotBytes must be",
        "deadline                         | -1s       | deadline in ns must be",
        "renew-after                      | 2h        | renewAfter",
        "offload-connections              | 3         | a power of two",
        "retry.max-attempts               | 6         | maxAttempts",
        "retry.initial-backoff            | 2d        | initialBackoff",
        "retry.retryable-status-codes     | OK        | retryableStatusCodes",
        "retry-throttling.max-tokens      | 0         | maxTokens must be 1 to 1000",
        "connection-backoff.multiplier    | 11        | multiplier must be 1 to 10",
        "outlier-ejection.interval        | 0s        | interval",
        "health-check.period              | 1ms       | period",
        "hedging[*].max-attempts          | 9         | maxAttempts",
        "method-retry[a/b/c].max-attempts | 3         | a/b/c"})
    void aValueThatIsOutOfItsRangeIsRefusedWithWhatIsAllowed(String property, String value, String reason) {
        Contexts.of()
                .withPropertyValues("jvrpc.clients.orders.address=" + Contexts.freshAddress(),
                        "jvrpc.clients.orders." + property + "=" + value)
                .run(context -> {
                    InvalidConfigurationPropertyValueException failure =
                            Causes.of(context.getStartupFailure(), InvalidConfigurationPropertyValueException.class);
                    assertThat("jvrpc.clients.orders." + property).startsWith(failure.getName());
                    assertThat(failure.getReason()).contains(reason);
                });
    }

    @Test
    void aClientWithoutAnAddressIsRefusedWithThePropertyThatIsMissing() {
        Contexts.of(Calls.class).run(context -> {
            InvalidConfigurationPropertyValueException failure =
                    Causes.of(context.getStartupFailure(), InvalidConfigurationPropertyValueException.class);
            assertEquals("jvrpc.clients.orders.address", failure.getName());
        });
    }

    @Test
    void anAddressAndAddressesAreTooMuch() {
        Contexts.of(Calls.class)
                .withPropertyValues("jvrpc.clients.orders.address=shm://a", "jvrpc.clients.orders.addresses=shm://b")
                .run(context -> Causes.of(
                        context.getStartupFailure(), MutuallyExclusiveConfigurationPropertiesException.class));
    }

    @Test
    void aPropertyThatIsNoneIsRefused() {
        Contexts.of(Calls.class)
                .withPropertyValues("jvrpc.clients.orders.address=shm://a", "jvrpc.clients.orders.time-limit=1s")
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("jvrpc.clients.orders.time-limit"));
    }

    @Test
    void severalAddressesAreATarget() {
        String there = Contexts.freshAddress();
        Contexts.of(Calls.class, Flaky.class)
                .withPropertyValues("jvrpc.server.addresses=" + there,
                        "jvrpc.clients.orders.addresses=" + Contexts.freshAddress() + "," + there,
                        "jvrpc.clients.orders.load-balancing=round-robin")
                .run(context -> assertEquals(2,
                        context.getBean(JvrpcClients.class).client("orders").servers().size()));
    }

    @Test
    void callsAreMadeAgainAsPropertiesSay() {
        String address = Contexts.freshAddress();
        Contexts.of(Calls.class, Flaky.class)
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.clients.orders.address=" + address,
                        "jvrpc.clients.orders.retry.retryable-status-codes=ABORTED,UNAVAILABLE",
                        "jvrpc.clients.orders.retry.initial-backoff=1ms")
                .run(context -> assertEquals("call 2",
                        context.getBean(JvrpcClients.class).stub("orders", Slow.class).work("x")));
    }

    @Test
    void callsOfSomeMethodsAloneAreMadeAgain() {
        String address = Contexts.freshAddress();
        String others = "jvrpc.clients.orders.method-retry.[org.acme.Others/*]";
        Contexts.of(Calls.class, Flaky.class)
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.clients.orders.address=" + address,
                        others + ".retryable-status-codes=ABORTED")
                .run(context -> {
                    Slow stub = context.getBean(JvrpcClients.class).stub("orders", Slow.class);
                    assertEquals(Status.ABORTED, assertThrows(RpcException.class, () -> stub.work("x")).status());
                });
    }
}
