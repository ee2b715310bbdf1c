package org.jvrpc.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.admin.Admin;
import org.jvrpc.runtime.RpcClient;

/** What a test left open: sessions, threads, files. One thread. */
final class Leaks {

    /** What is closed takes a moment to end. */
    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("jvrpc.testkit.leakSeconds", 5));
    private static final long LOOK_NS = 1_000_000;
    private static final AtomicInteger OVERLAPPING = new AtomicInteger();

    private final String name;
    private final Path folder;
    private final Set<String> before;
    private final boolean alone;

    /** @param name stands in the names of the threads of servers and clients */
    Leaks(String name, Reach reach) {
        this.name = name;
        this.folder = reach == Reach.SHARED_MEMORY ? folder() : null;
        this.alone = OVERLAPPING.getAndIncrement() == 0;
        this.before = files();
    }

    private static Path folder() {
        String chosen = System.getProperty("jvrpc.shm.dir");
        return Path.of(chosen != null ? chosen : "/dev/shm/jvrpc-" + System.getProperty("user.name"));
    }

    /** Returns the folders of this process's devices. */
    private Set<String> files() {
        String[] names = folder == null ? null : folder.toFile().list();
        String device = "d-" + ProcessHandle.current().pid() + "-";
        return names == null ? Set.of()
                : new TreeSet<>(Arrays.stream(names).filter(each -> each.startsWith(device)).toList());
    }

    /** Returns sessions that nobody closed, of a server whose other clients are closed. */
    List<String> sessions(String address) {
        try (RpcClient client = RpcClient.builder(address).slots(1).connectTimeout(LIMIT).connect()) {
            Admin admin = client.stub(Admin.class);
            int open = await(() -> admin.sessions().size() - 1, 0);
            return open == 0 ? List.of() : List.of("sessions=" + open + " of clients that were not closed");
        } catch (RpcException e) {
            return List.of(); // the server was killed, or is full: it has no sessions, or does not tell
        }
    }

    /**
     * Returns threads and files that are left when the server has ended.
     *
     * @param looks false where something is known to be left: nobody waits for what it holds
     */
    List<String> threadsAndFiles(boolean looks) {
        boolean counts = OVERLAPPING.getAndDecrement() == 1 && alone;
        int threads = looks ? await(() -> threads().size(), 0) : 0;
        List<String> left = threads == 0 ? List.of() : List.of("threads " + threads());
        if (!looks || !left.isEmpty() || folder == null || !counts) {
            return left;
        }
        return await(() -> left(before).size(), 0) == 0 ? left : List.of("files " + left(before) + " in " + folder);
    }

    private Set<String> left(Set<String> known) {
        Set<String> now = new TreeSet<>(files());
        now.removeAll(known);
        return now;
    }

    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName)
                .filter(each -> each.matches(".*" + name + "(\\D.*)?")).sorted().toList();
    }

    private static int await(Supplier<Integer> left, int wanted) {
        long startNs = System.nanoTime();
        int now = left.get();
        while (now > wanted && System.nanoTime() - startNs < LIMIT.toNanos()) {
            LockSupport.parkNanos(LOOK_NS);
            now = left.get();
        }
        return now;
    }
}
