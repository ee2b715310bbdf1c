package org.jvrpc.benchmarks.soak.role;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.benchmarks.jvrpc.SoakService;
import org.jvrpc.benchmarks.soak.audit.Journal;
import org.jvrpc.benchmarks.soak.audit.Notes;

/** The implementation: notes each run in the journal. Many threads. */
final class CampaignHandler implements CampaignService {

    private static final long HANG_MS = 2_500;
    private static final long GATHER_MS = 3_000;

    private final Journal journal;
    private final Notes notes;
    private final Peer peer;
    private final Plant plant = new Plant();
    private final AtomicInteger running = new AtomicInteger();
    private final Map<Integer, List<CompletableFuture<Integer>>> gathered = new HashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "soak-timer");
        thread.setDaemon(true);
        return thread;
    });
    private volatile CountDownLatch held;
    private volatile long before;

    /** The other server. */
    interface Peer {
        SoakService service();
    }

    CampaignHandler(Journal journal, Notes notes, Peer peer) {
        this.journal = journal;
        this.notes = notes;
        this.peer = peer;
    }

    /** Notes that a call runs. A call of an older round has outlived its client's account of it. */
    private void note(long id) {
        if (Journal.roundOf(id) != journal.round()) {
            notes.add(Journal.text(id) + " ran in round " + journal.round());
            return;
        }
        journal.ran(id);
        if (plant.hits(Plant.Kind.DOUBLE)) {
            journal.ran(id);
        }
        if (plant.hits(Plant.Kind.LEAK_FD)) {
            plant.leakDescriptors();
        }
    }

    private long answer(long id, long argument) {
        long answer = Answers.of(id, argument);
        long other = before;
        before = answer;
        return plant.hits(Plant.Kind.SWAP) ? other : answer;
    }

    @Override
    public long light(long id, long argument) {
        note(id);
        return answer(id, argument);
    }

    @Override
    public long heavy(long id, long argument) {
        note(id);
        return answer(id, argument);
    }

    @Override
    public byte[] bytes(long id, byte[] body) {
        note(id);
        return Answers.of(id, body);
    }

    @Override
    public long late(long id, long argument, int afterMs) {
        note(id);
        sleep(afterMs);
        return answer(id, argument);
    }

    @Override
    public long hang(long id, long argument) {
        note(id);
        sleep(HANG_MS);
        return answer(id, argument);
    }

    /** An interrupt, by which a server may tell that nobody waits any more, ends it. */
    private void sleep(long ms) {
        running.incrementAndGet();
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            running.decrementAndGet();
        }
    }

    @Override
    public long back(long id, long argument) {
        note(id);
        running.incrementAndGet();
        try {
            long sum = peer.service().add(id, argument);
            if (sum != id + argument) {
                notes.add(Journal.text(id) + " called back and got another's answer");
            }
            return answer(id, argument);
        } finally {
            running.decrementAndGet();
        }
    }

    @Override
    public CompletableFuture<Long> later(long id, long argument, int afterMs) {
        note(id);
        running.incrementAndGet();
        CompletableFuture<Long> later = new CompletableFuture<>();
        timer.schedule(() -> {
            running.decrementAndGet();
            later.complete(answer(id, argument));
        }, afterMs, TimeUnit.MILLISECONDS);
        return later;
    }

    @Override
    public long broken(long id, boolean error) {
        note(id);
        if (error) {
            throw new AssertionError("planned");
        }
        throw new IllegalStateException("planned");
    }

    @Override
    public long refused(long id) throws RefusedException {
        note(id);
        throw new RefusedException(Answers.refusal(id));
    }

    @Override
    public void tick(long id) {
        if (id != 0) {
            note(id);
        }
    }

    @Override
    public CompletableFuture<Integer> gather(int place, int count) {
        CompletableFuture<Integer> call = new CompletableFuture<>();
        List<CompletableFuture<Integer>> all;
        synchronized (gathered) {
            all = gathered.computeIfAbsent(place, none -> new ArrayList<>());
            all.add(call);
            if (all.size() == 1) {
                timer.schedule(() -> release(place), GATHER_MS, TimeUnit.MILLISECONDS);
            }
            if (all.size() < count) {
                return call;
            }
        }
        release(place);
        return call;
    }

    private void release(int place) {
        List<CompletableFuture<Integer>> all;
        synchronized (gathered) {
            all = gathered.remove(place);
        }
        if (all != null) {
            all.forEach(call -> call.complete(all.size()));
        }
    }

    @Override
    public void hold() {
        CountDownLatch latch = new CountDownLatch(1);
        held = latch;
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        held = null;
    }

    boolean isHeld() {
        return held != null;
    }

    void releaseHeld() {
        CountDownLatch latch = held;
        if (latch != null) {
            latch.countDown();
        }
    }

    /** Returns how many calls wait in their handlers. */
    int running() {
        return running.get();
    }
}
