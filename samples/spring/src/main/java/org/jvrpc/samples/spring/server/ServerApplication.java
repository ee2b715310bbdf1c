package org.jvrpc.samples.spring.server;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Serves orders until it is told to stop. Where, says {@code server.properties}. */
@SpringBootApplication
public class ServerApplication {

    /** Starts it. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(ServerApplication.class).properties("spring.config.name=server").run(arguments);
    }
}
