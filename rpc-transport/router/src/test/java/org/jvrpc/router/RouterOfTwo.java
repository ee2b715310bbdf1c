package org.jvrpc.router;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.map.Rule;

/** Each test has a router of its own, with the tenants "one" and "two", who may reach each other. */
public abstract class RouterOfTwo {

    protected static final TenantId ONE = new TenantId("one");
    protected static final TenantId TWO = new TenantId("two");

    @TempDir
    protected Path folder;
    protected TestRouter router;

    @BeforeEach
    void start() {
        router = new TestRouter(folder, "one", "two");
        router.view().apply(new Rule(null, null, 0, 0xffff, true));
    }

    @AfterEach
    void stop() {
        router.close();
    }

    /** Returns what the router is at. */
    protected RouterStatus status() {
        try {
            return router.server().status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
