package org.jvrpc.router.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.TestRouter;
import org.jvrpc.router.map.Rule;

/**
 * A router with two neighbours that talk to each other, and a hostile tenant with an accomplice. Rules let those two
 * reach each other and nobody else. Each test ends with a look at the neighbours, who stay the same.
 */
abstract class HostileGround {

    static final TenantId HOSTILE = new TenantId("hostile");
    static final TenantId ACCOMPLICE = new TenantId("accomplice");
    static final TenantId ONE = new TenantId("one");
    static final TenantId TWO = new TenantId("two");

    @TempDir
    private static Path folder;
    private final Deque<RawTenant> raws = new ArrayDeque<>();
    static TestRouter router;
    static Neighbours neighbours;

    @BeforeAll
    static void open() throws IOException {
        router = new TestRouter(Files.createDirectory(folder.resolve("r")), "one", "two", "hostile", "accomplice");
        router.view().apply(new Rule(ONE, TWO, 0, 0xffff, true), new Rule(TWO, ONE, 0, 0xffff, true),
                new Rule(HOSTILE, ACCOMPLICE, 0, 0xffff, true), new Rule(ACCOMPLICE, HOSTILE, 0, 0xffff, true));
        neighbours = new Neighbours(router.open("one"), router.open("two"), router.address(1));
        neighbours.goOn();
    }

    @AfterEach
    final void lookAtTheNeighbours() {
        try {
            neighbours.goOn();
        } finally {
            raws.forEach(RawTenant::close);
        }
    }

    @AfterAll
    static void close() {
        newNeighboursAreLetIn();
        neighbours.close();
        router.close();
    }

    static void newNeighboursAreLetIn() {
        Neighbours others = new Neighbours(router.open("one"), router.open("two"), router.address(1));
        others.goOn();
        others.close();
    }

    /** Returns a socket that has said nothing yet. */
    RawTenant stranger(TenantId tenant) {
        RawTenant raw = new RawTenant(router.dir(tenant.name()));
        raws.push(raw);
        return raw;
    }

    RawTenant attached(TenantId tenant) {
        RawTenant raw = stranger(tenant);
        raw.enter();
        return raw;
    }

    int devices() {
        try {
            return router.server().counts().devices();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
