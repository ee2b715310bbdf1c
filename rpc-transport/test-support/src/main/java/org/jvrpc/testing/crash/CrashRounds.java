package org.jvrpc.testing.crash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.crash.StorePoints.Action;

/**
 * Halts a child, or has it stand for a while, behind each store that an operation makes to shared memory, files, locks
 * and sockets. Without a property, behind one of them, which a seed chooses; with {@code -Djvrpc.crash.points=all}
 * behind every one, with {@code =7,8} behind those. {@code -Djvrpc.crash.operation=NAME} chooses one operation.
 */
public final class CrashRounds {

    private static final int SAMPLE = 1;
    /**
     * A device takes pieces from one slab or another; the JVM starts threads as it likes; folders of devices that were
     * just being made go after a minute.
     */
    private static final Holdings ROOM = new Holdings(0, 8, 4, 8);

    private final String classPath;
    private final Class<?> victim;
    private final Map<String, Supplier<CrashScene>> scenes;

    /**
     * @param victim its main method calls {@link CrashVictim#run}; classes of its package are not instrumented
     * @param packages whose stores count, for instance {@code "org/jvrpc/softrnic/"}
     * @param folder an empty one, for the instrumented classes
     * @param scenes by the operations' names
     */
    public CrashRounds(Class<?> victim, List<String> packages, Path folder, Map<String, Supplier<CrashScene>> scenes) {
        this.victim = victim;
        this.scenes = new TreeMap<>(scenes);
        this.classPath = StoreInstrumentation.classPath(System.getProperty("java.class.path"), folder, packages,
                victim.getPackageName().replace('.', '/') + "/");
    }

    /** Returns the names of the operations that are to be tried. */
    public Iterable<String> operations() {
        String chosen = System.getProperty("jvrpc.crash.operation");
        return chosen == null ? scenes.keySet() : List.of(chosen);
    }

    /** Tries the points of an operation. @throws AssertionError when something is not in order */
    public void everyPoint(String operation, Action action) {
        try (CrashScene scene = scenes.get(operation).get()) {
            long stores = round(scene, operation, 0, action);
            if (stores == 0) {
                throw new AssertionError(operation + " stores nothing");
            }
            List<Long> points = points(operation, stores);
            System.out.println("crash points: " + operation + " " + action + ": " + points.size() + " of " + stores
                    + " stores");
            Holdings before = Holdings.settled();
            for (long point : points) {
                round(scene, operation, point, action);
            }
            Holdings.awaitNoMoreThan(before, ROOM);
        }
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
    private long round(CrashScene scene, String operation, long point, Action action) {
        String[] place = {"none"};
        try (ChildJvm child = JavaCommand.of(victim).classPath(classPath).option("-Xmx64m")
                .arguments(operation, Long.toString(point), action.name()).arguments(scene.begin()).start()) {
            scene.stepUntil("the child to be ready", () -> said(child, CrashVictim.READY) != null
                    || !child.isAlive());
            if (said(child, CrashVictim.READY) == null) {
                throw new AssertionError(child.toString());
            }
            scene.go();
            child.tell(CrashVictim.GO);
            scene.stepUntil("the operation", () -> said(child, CrashVictim.DONE) != null
                    || said(child, StorePoints.HALTS) != null || said(child, StorePoints.STANDS) != null
                    || !child.isAlive());
            place[0] = said(child, StorePoints.HALTS);
            if (said(child, StorePoints.STANDS) != null) {
                place[0] = said(child, StorePoints.STANDS);
                scene.others();
                child.tell(StorePoints.GO_ON);
                scene.stepUntil("the operation's end",
                        () -> said(child, CrashVictim.DONE) != null || !child.isAlive());
            }
            String done = said(child, CrashVictim.DONE);
            if (done != null) {
                child.kill();
            } else if (child.exitStatus() != StorePoints.HALTED) {
                throw new AssertionError(child.toString());
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
