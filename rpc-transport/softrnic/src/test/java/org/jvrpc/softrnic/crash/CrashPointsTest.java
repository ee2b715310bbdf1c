package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.crash.StoreInstrumentation;
import org.jvrpc.testing.crash.StorePoints;
import org.jvrpc.testing.crash.StorePoints.Action;

/**
 * A child is halted, or stands for a while, behind each store that an operation makes to shared memory, files, locks
 * and sockets. Without a property, behind some of them, which a seed chooses; with {@code -Djvrpc.crash.points=all}
 * behind every one, with {@code =7,8} behind those. {@code -Djvrpc.crash.operation=NAME} chooses one operation.
 */
final class CrashPointsTest {

    private static final List<String> INSTRUMENTED = List.of("org/jvrpc/softrnic/", "org/jvrpc/mlx5/");
    private static final int SAMPLE = 2;
    /** A device takes pieces from one slab or another; the JVM starts threads as it likes. */
    private static final Holdings ROOM = new Holdings(0, 8, 4, 4);

    @TempDir
    static Path folder;
    private static String classPath;

    private static final Map<String, Supplier<Scene>> SCENES = new TreeMap<>(Map.ofEntries(
            Map.entry("send", () -> new SinkScene(SinkScene.Kind.SEND)),
            Map.entry("long send", () -> new SinkScene(SinkScene.Kind.LONG_SEND)),
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

    @BeforeAll
    static void instrument() throws IOException {
        classPath = StoreInstrumentation.classPath(
                System.getProperty("java.class.path"), folder.toRealPath(), INSTRUMENTED, "org/jvrpc/softrnic/crash/");
    }

    static Iterable<String> operations() {
        String chosen = System.getProperty("jvrpc.crash.operation");
        return chosen == null ? SCENES.keySet() : List.of(chosen);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whoIsHaltedBehindAStoreLeavesNothing(String operation) {
        everyPoint(operation, Action.HALT);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void whoStandsBehindAStoreHoldsNobodyUp(String operation) {
        everyPoint(operation, Action.STAND);
    }

    private static void everyPoint(String operation, Action action) {
        try (Scene scene = SCENES.get(operation).get()) {
            long stores = round(scene, operation, 0, action);
            assertTrue(stores > 0, "nothing was stored");
            List<Long> points = points(operation, stores);
            System.out.println("crash points: " + operation + " " + action + ": " + points.size() + " of " + stores
                    + " stores");
            Holdings before = Holdings.settled();
            for (long point : points) {
                round(scene, operation, point, action);
            }
            Holdings.awaitNoMoreThan(before, ROOM);
        }
        ShmUnderTest.open().close(); // takes away what the dead left
        assertEquals(List.of(), devices(), "left in the folder");
    }

    private static List<String> devices() {
        String[] names = SharedMemoryFolder.path().toFile().list((folder, name) -> !name.endsWith(".lock"));
        return List.of(names);
    }

    private static List<Long> points(String operation, long stores) {
        String chosen = System.getProperty("jvrpc.crash.points");
        List<Long> all = new ArrayList<>();
        for (long point = 1; point <= stores; point++) {
            all.add(point);
        }
        if ("all".equals(chosen)) {
            return all;
        }
        if (chosen != null) {
            return List.of(chosen.split(",")).stream().map(Long::valueOf).toList();
        }
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("crash points: " + operation + ": -Djvrpc.seed=" + seed);
        Collections.shuffle(all, new Random(seed));
        return all.subList(0, (int) Math.min(stores, SAMPLE));
    }

    /** Returns how many stores there were; -1 when the child was halted. */
    private static long round(Scene scene, String operation, long point, Action action) {
        List<String> arguments = scene.begin();
        String[] place = {"none"};
        try (ChildJvm child = Victim.start(classPath, operation, point, action, arguments)) {
            scene.stepUntil("the child to be ready: " + child, () -> said(child, Victim.READY) != null);
            scene.go();
            child.tell(Victim.GO);
            scene.stepUntil("the operation", () -> said(child, Victim.DONE) != null
                    || said(child, StorePoints.HALTS) != null || said(child, StorePoints.STANDS) != null
                    || !child.isAlive());
            place[0] = said(child, StorePoints.HALTS);
            if (said(child, StorePoints.STANDS) != null) {
                place[0] = said(child, StorePoints.STANDS);
                scene.others();
                child.tell(StorePoints.GO_ON);
                scene.stepUntil("the operation's end", () -> said(child, Victim.DONE) != null || !child.isAlive());
            }
            String done = said(child, Victim.DONE);
            if (done == null) {
                assertEquals(StorePoints.HALTED, child.exitStatus(), child::toString);
            } else {
                child.kill();
            }
            scene.end(done != null);
            return done == null ? -1 : Long.parseLong(done);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(operation + ", " + action + " behind store " + point + ", " + place[0] + ": "
                    + e.getMessage(), e);
        }
    }

    private static String said(ChildJvm child, String begin) {
        for (String line : child.output()) {
            if (line.startsWith(begin)) {
                return line.substring(begin.length());
            }
        }
        return null;
    }
}
