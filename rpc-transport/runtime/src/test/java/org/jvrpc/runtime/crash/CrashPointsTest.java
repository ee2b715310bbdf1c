package org.jvrpc.runtime.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.testing.crash.CrashRounds;
import org.jvrpc.testing.crash.StorePoints.Action;

/** What is left of a process that ends behind any of its stores, or stands there; see {@link CrashRounds}. */
@Timeout(value = 1, unit = TimeUnit.HOURS) // where every point is tried
final class CrashPointsTest {

    @TempDir
    static Path folder;
    private static CrashRounds rounds;

    @BeforeAll
    static void instrument() throws IOException {
        rounds = new CrashRounds(Victim.class,
                List.of("org/jvrpc/softrnic/", "org/jvrpc/mlx5/", "org/jvrpc/api/", "org/jvrpc/runtime/"),
                folder.toRealPath(),
                Map.of("call", () -> new ClientScene("call"), "session", () -> new ClientScene("session"),
                        "answer", ServerScene::new));
    }

    static Iterable<String> operations() {
        return rounds.operations();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whoIsHaltedBehindAStoreLeavesNothing(String operation) {
        rounds.everyPoint(operation, Action.HALT);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whoStandsBehindAStoreHoldsNobodyUp(String operation) {
        rounds.everyPoint(operation, Action.STAND);
    }
}
