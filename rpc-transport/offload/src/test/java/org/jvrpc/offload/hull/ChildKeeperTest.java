package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

/** Who keeps an application alive, with applications that are no processes. */
final class ChildKeeperTest {

    private static final long MINUTE_NS = 60_000_000_000L;

    private final StandardError said = new StandardError();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Deque<Callable<Process>> starts = new ArrayDeque<>();

    @AfterEach
    void close() {
        said.close();
    }

    private void dies(int status) {
        starts.add(() -> FakeChild.ended(status));
    }

    private void cannotStart() {
        starts.add(() -> {
            throw new IOException("no such file");
        });
    }

    private FakeChild lives() {
        FakeChild child = new FakeChild(events);
        starts.add(() -> child);
        return child;
    }

    /** Of the applications above, one after the other; at the end comes one that ends with status 0. */
    private ChildKeeper keeper(RestartPolicy policy) {
        return new ChildKeeper(() -> {
            events.add("launched");
            try {
                return starts.isEmpty() ? FakeChild.ended(0) : starts.remove().call();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }, policy, 7_000_000, () -> events.add("starting"));
    }

    private static FutureTask<Integer> running(ChildKeeper keeper) {
        return start(new FutureTask<>(keeper::run));
    }

    private static <T> FutureTask<T> start(FutureTask<T> task) {
        Thread thread = new Thread(task, "keeper");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static <T> T end(FutureTask<T> task) throws Exception {
        return task.get(Waits.limitNs(), TimeUnit.NANOSECONDS);
    }

    private void awaitSaid(String part) {
        Waits.until(part, () -> said.text().contains(part), said::text);
    }

    /** @param lines with # for how long something lived, some milliseconds */
    private void assertSaid(String... lines) {
        assertEquals(List.of(lines), said.lines().stream()
                .map(line -> line.replaceFirst("after ms=[0-9]{1,5};", "after ms=#;")).toList());
    }

    @Test
    void anApplicationThatEndsByItselfIsNotStartedAgain() throws InterruptedException {
        assertEquals(0, keeper(new RestartPolicy(5, MINUTE_NS)).run());
        assertEquals(List.of("starting", "launched"), events);
        assertSaid();
    }

    @Test
    void oneThatDiesYoungIsStartedEverLaterAndThenGivenUpWithItsStatus() throws InterruptedException {
        dies(4);
        dies(4);
        dies(3);
        long startNs = System.nanoTime();
        assertEquals(3, keeper(new RestartPolicy(3, MINUTE_NS)).run());
        assertTrue(System.nanoTime() - startNs >= 300_000_000, "it is not started before its time");
        assertEquals(List.of("starting", "launched", "starting", "launched", "starting", "launched"), events);
        assertSaid("hull: the application died, status=4 after ms=#; starting it again in ms=100",
                "hull: the application died, status=4 after ms=#; starting it again in ms=200",
                "hull: the application died, status=3 after ms=#; ending after quick deaths=3");
    }

    @Test
    void oneThatDiesOldIsStartedAgainAtOnce() throws InterruptedException {
        dies(137);
        assertEquals(0, keeper(new RestartPolicy(1, -1)).run());
        assertSaid("hull: the application died, status=137 after ms=#; starting it again");
    }

    @Test
    void oneThatIsNotToBeStartedAgainIsNot() throws InterruptedException {
        dies(9);
        assertEquals(9, keeper(new RestartPolicy(0, 0)).run());
        assertSaid("hull: the application died, status=9 after ms=#; ending");
    }

    @Test
    void aFirstDeathMayBeTheLast() throws InterruptedException {
        dies(9);
        assertEquals(9, keeper(new RestartPolicy(1, MINUTE_NS)).run());
        assertSaid("hull: the application died, status=9 after ms=#; ending");
    }

    @Test
    void aCommandThatCannotBeStartedAtAllIsNotTriedAgain() throws InterruptedException {
        cannotStart();
        assertEquals(127, keeper(new RestartPolicy(5, MINUTE_NS)).run());
        assertSaid("hull: cannot start the application: no such file", "hull: ending");
    }

    @Test
    void aCommandThatCouldBeStartedOnceIsTriedAgain() throws InterruptedException {
        dies(1);
        cannotStart();
        assertEquals(0, keeper(new RestartPolicy(5, MINUTE_NS)).run());
        assertSaid("hull: the application died, status=1 after ms=#; starting it again in ms=100",
                "hull: cannot start the application: no such file", "hull: starting it again in ms=200");
    }

    @Test
    void anApplicationThatIsToldToEndIsWaitedForAndItsFamilyKilled() throws Exception {
        FakeChild child = lives();
        child.endsWhenTold(5);
        ChildKeeper keeper = keeper(new RestartPolicy(5, MINUTE_NS));
        FutureTask<Integer> run = running(keeper);
        Waits.until("the application", () -> events.contains("launched"));
        keeper.stop();
        assertEquals(143, end(run), "of who ends because of SIGTERM, whatever the application's is");
        keeper.stop();
        assertEquals(List.of("starting", "launched", "told to end", "waited 7", "its child: destroyForcibly"), events);
        assertSaid();
    }

    @Test
    void anApplicationThatDoesNotEndInTimeIsKilled() throws Exception {
        lives();
        ChildKeeper keeper = keeper(new RestartPolicy(5, MINUTE_NS));
        FutureTask<Integer> run = running(keeper);
        Waits.until("the application", () -> events.contains("launched"));
        keeper.stop();
        assertEquals(143, end(run));
        assertEquals(List.of("starting", "launched", "told to end", "waited 7", "killed", "waited 7",
                "its child: destroyForcibly"), events);
        assertSaid("hull: the application did not end in ms=7: killing it");
    }

    @Test
    void whoIsInterruptedWhileHeWaitsForTheEndKillsAtOnceAndStaysInterrupted() throws Exception {
        lives();
        ChildKeeper keeper = keeper(new RestartPolicy(5, MINUTE_NS));
        FutureTask<Integer> run = running(keeper);
        Waits.until("the application", () -> events.contains("launched"));
        FutureTask<Boolean> stop = start(new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            keeper.stop();
            return Thread.currentThread().isInterrupted();
        }));
        assertTrue(end(stop), "the interrupt is kept for the caller");
        assertEquals(143, end(run));
        assertEquals(List.of("starting", "launched", "told to end", "killed", "its child: destroyForcibly"), events);
    }

    @Test
    void whoWasToldToEndBeforeStartsNothing() throws InterruptedException {
        ChildKeeper keeper = keeper(new RestartPolicy(5, MINUTE_NS));
        keeper.stop();
        assertEquals(143, keeper.run());
        assertEquals(List.of(), events);
    }

    @Test
    void whoIsToldToEndDoesNotWaitForTheTimeOfTheNextStart() throws Exception {
        RestartPolicy policy = new RestartPolicy(100, MINUTE_NS);
        for (int i = 0; i < 20; i++) {
            policy.died(0);
        }
        dies(1);
        ChildKeeper keeper = keeper(policy);
        long startNs = System.nanoTime();
        FutureTask<Integer> run = running(keeper);
        awaitSaid("starting it again in ms=5000");
        keeper.stop();
        assertEquals(143, end(run));
        assertTrue(System.nanoTime() - startNs < 5_000_000_000L, "it waited for the next start");
        assertEquals(List.of("starting", "launched"), events);
    }

    @Test
    void aLaunchedCommandHasTheEnvironmentThatItIsGiven() throws Exception {
        Process process = ChildKeeper.of(
                List.of("sh", "-c", "test \"$WORD\" = \"a b\" && test -n \"$PATH\" || exit 2"),
                Map.of("WORD", "a b")).launch();
        assertEquals(0, process.waitFor());
    }
}
