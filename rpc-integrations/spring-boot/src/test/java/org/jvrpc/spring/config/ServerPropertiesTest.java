package org.jvrpc.spring.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.api.admin.Admin;
import org.jvrpc.api.admin.Setting;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.GreeterBean;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

class ServerPropertiesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "pollers                                | 65     | pollers must be 1 to 64, pollers=65",
        "listeners.a.pollers                    | 0      | pollers must be 1 to 64, pollers=0",
        "queued-calls                           | 0      | queuedCalls must be 1 to 1048576",
        "max-body-size                          | 1B     | maxBodyBytes must be 1048576 to 1073741824",
        "stream-window                          | 1KB    | streamWindow must be 4096 to 67108864",
        "stream-window                          | 8GB    | streamWindow must be 4096 to 67108864",
        "keep-alive                             | 10ms   | keepAlive in ns must be",
        "keep-alive                             | 200000d | the value is too large",
        "recheck                                | 1ms    | recheck",
        "register                               | nobody | target=nobody is not scheme://",
        "register                               | no://b | no registry on the class path has scheme=no",
        "limits.max-sessions                    | 0      | maxSessions must be at least 1",
        "limits.session-memory                  | 1KB    | sessionMemory must be at least",
        "limits.body-memory                     | 1MB    | bodyMemory",
        "limits.stream-memory-per-session       | 1KB    | streamMemory perSession",
        "principal-limits.max-calls             | -1     | maxCalls must not be negative",
        "addresses[0]                           | orders | an address begins with a scheme",
        "listeners.a.address                    | ''     | an address is needed"})
    void aValueThatIsOutOfItsRangeIsRefusedWithWhatIsAllowed(String property, String value, String reason) {
        Contexts.of(GreeterBean.class)
                .withPropertyValues("jvrpc.server.listeners.a.address=" + Contexts.freshAddress(),
                        "jvrpc.server." + property + "=" + value)
                .run(context -> {
                    InvalidConfigurationPropertyValueException failure =
                            Causes.of(context.getStartupFailure(), InvalidConfigurationPropertyValueException.class);
                    assertEquals("jvrpc.server." + property, failure.getName());
                    assertThat(failure.getReason()).contains(reason);
                });
    }

    @Test
    void aPropertyThatIsNoneIsRefused() {
        Contexts.of(GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress(), "jvrpc.server.poller=2")
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("jvrpc.server.poller"));
    }

    @Test
    void anAddressThatIsThereTwiceIsRefused() {
        String address = Contexts.freshAddress();
        Contexts.of(GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.server.listeners.b.address=" + address)
                .run(context -> assertThat(context.getStartupFailure()).rootCause()
                        .hasMessageContaining("jvrpc.server.listeners.b.address")
                        .hasMessageContaining("jvrpc.server.addresses[0]"));
    }

    @Test
    void serversHaveWhatPropertiesSayAndListenersBefore() {
        String plain = Contexts.freshAddress();
        String special = Contexts.freshAddress();
        Contexts.of(GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + plain,
                        "jvrpc.server.listeners.special.address=" + special,
                        "jvrpc.server.admin=true",
                        "jvrpc.server.pollers=2",
                        "jvrpc.server.listeners.special.pollers=3",
                        "jvrpc.server.idle=back-off",
                        "jvrpc.server.max-body-size=2MB",
                        "jvrpc.server.limits.max-sessions=7")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Map<String, String> settings = settings(plain);
                    assertThat(settings).containsValues("2", "BACK_OFF", "2097152", "7");
                    assertThat(settings(special)).containsValues("3", "BACK_OFF", "7");
                });
    }

    private static Map<String, String> settings(String address) {
        try (RpcClient client = RpcClient.connect(address)) {
            Map<String, String> all = new TreeMap<>();
            for (Setting setting : client.stub(Admin.class).settings()) {
                all.put(setting.name(), setting.value());
            }
            return all;
        }
    }
}
