package org.jvrpc.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.spring.server.JvrpcServerAutoConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What users read when their application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTest {

    @ImportAutoConfiguration(JvrpcServerAutoConfiguration.class)
    static class Application extends GreeterBean {
    }

    private static void fail(String... arguments) {
        assertThrows(RuntimeException.class, () -> SpringApplication.run(Application.class, arguments));
    }

    @Test
    void aPropertyOutOfItsRangeIsNamedWithWhereItStands(CapturedOutput output) {
        fail("--jvrpc.server.addresses=inproc://analysis", "--jvrpc.server.pollers=65");
        assertThat(output).contains("APPLICATION FAILED TO START", "jvrpc.server.pollers",
                "pollers must be 1 to 64, pollers=65", "commandLineArgs");
    }

    @Test
    void anAddressThatCannotBeServedComesWithWhatToDo(CapturedOutput output) {
        fail("--jvrpc.server.addresses=nope://x");
        assertThat(output).contains("The server address-0 cannot start at nope://x: no device for address=nope://x",
                "Free the address, or set jvrpc.server.addresses[0] to another one.");
    }
}
