package org.jvrpc.router;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.SharedMemoryFolder;

/**
 * The router of this process's tests, with two tenants that may reach each other; there until the process ends. Its
 * folder is in shared memory, as a host's would be: with the folders of the test classes, but no class's own.
 */
public final class SharedRouter {

    private static TestRouter router;

    private SharedRouter() {
    }

    /** Returns it, started when it is first asked for. */
    public static synchronized TestRouter get() {
        if (router == null) {
            try {
                Path folder = Files.createTempDirectory(SharedMemoryFolder.path().getParent(), "router-");
                router = new TestRouter(folder, "one", "two");
                router.view().apply(new Rule(null, null, 0, 0xffff, true));
                Runtime.getRuntime().addShutdownHook(new Thread(router::close));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return router;
    }
}
