package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.softrnic.ShmUnderTest;
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
        rounds = new CrashRounds(Victim.class, List.of("org/jvrpc/softrnic/", "org/jvrpc/mlx5/"), folder.toRealPath(),
                Map.ofEntries(
                        Map.entry("send", () -> new SinkScene(SinkScene.Kind.SEND)),
                        Map.entry("long send", () -> new SinkScene(SinkScene.Kind.LONG_SEND)),
                        Map.entry("push", () -> new SinkScene(SinkScene.Kind.PUSH)),
                        Map.entry("long push", () -> new SinkScene(SinkScene.Kind.LONG_PUSH)),
                        Map.entry("write", () -> new SinkScene(SinkScene.Kind.WRITE)),
                        Map.entry("read", () -> new SinkScene(SinkScene.Kind.READ)),
                        Map.entry("atomic", () -> new SinkScene(SinkScene.Kind.ADD)),
                        Map.entry("send to shared receives", SharedScene::new),
                        Map.entry("datagram", DatagramScene::new),
                        Map.entry("receive", SendScene::new),
                        Map.entry("shared receive", SendScene::new),
                        Map.entry("connect", ConnectScene::new),
                        Map.entry("close", ConnectScene::new),
                        Map.entry("accept", AcceptScene::new),
                        Map.entry("device", DeviceScene::new)));
    }

    static Iterable<String> operations() {
        return rounds.operations();
    }

    @AfterEach
    void nothingIsLeftOfTheDead() {
        ShmUnderTest.open().close(); // takes away what they left
        assertEquals(List.of(), DeviceScene.left());
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
