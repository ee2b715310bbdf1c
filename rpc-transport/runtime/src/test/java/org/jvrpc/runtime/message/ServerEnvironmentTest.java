package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

class ServerEnvironmentTest {

    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    @Test
    void aServerLivesByTheThreadsThatItIsGiven() {
        String address = ShmFolder.address();
        MessageServerOptions options = new MessageServerOptions();
        options.address(address);
        options.handlers(() -> (session, frame) -> { });
        options.environment(new Environment(Clock.SYSTEM, (task, name) -> {
            threads.add(name);
            return Threads.DAEMONS.make(task, name);
        }));
        try (MessageServerCore server = new MessageServerCore(options)) {
            server.start();
        }
        String name = address.replaceFirst("^.*://", "");
        assertEquals(Set.of("jvrpc-messages-" + name, "jvrpc-message-control-" + name),
                threads.stream().collect(Collectors.toSet()));
    }
}
