package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.Quotes.Query;
import org.jvrpc.runtime.contract.Quotes.Quote;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.testing.Waits;

/** Programs that read while the server publishes and removes what they read. */
class OffloadHammerTest {

    private static final long RUN_NS = Long.getLong("jvrpc.hammer.ms", 4000) * 1_000_000;
    private static final long LEAST_BY_PROGRAM = 1000;
    private static final int KEYS = 24;
    private static final int READERS = 2;
    private static final int WARM_UP = 60_000;
    private static final int CALLS = 20_000;
    private static final int LEAST_ROUNDS = 5;
    /** Compilation may be late where others want the processors, too. */
    private static final int MOST_ROUNDS = 50;
    /** What the measurement itself and a late compilation may cost; calls that allocate cost 320,000. */
    private static final long NOISE = 40_000;

    /** A version of each key, and books of as many quotes as make an answer of several hundred bytes, all of it. */
    private static final class Versions {

        private final long[] current = new long[KEYS];

        synchronized long get(int key) {
            return current[key];
        }

        synchronized long next(int key) {
            return ++current[key];
        }

        static List<Quote> book(Query query, long version) {
            List<Quote> book = new ArrayList<>();
            for (int i = 0; i < 3 + version % 5; i++) {
                book.add(new Quote(version, version * 0.5, query.venue()));
            }
            return book;
        }
    }

    private static Query query(int key) {
        return new Query("venue of key " + key, key);
    }

    /** Returns the version that all of a book is of. */
    private static long version(Query query, List<Quote> book, String seed) {
        long version = book.get(0).instrument();
        assertEquals(Versions.book(query, version), book, seed);
        return version;
    }

    @Test
    void neitherTornNorFreedNorOldAnswersAreEverTaken() {
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        String text = "-Djvrpc.seed=" + seed;
        System.out.println("neitherTornNorFreedNorOldAnswersAreEverTaken: " + text);
        Versions versions = new Versions();
        Quotes answers = new BookQuotes(query -> Versions.book(query, versions.get(query.depth())));
        AtomicBoolean over = new AtomicBoolean();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Quotes.class, answers)
                .offload(Quotes.class, "book", new OffloadSettings().capacity(KEYS)).start()) {
            OffloadedMethod<Quotes> book = server.offloaded(Quotes.class, "book");
            AtomicLong reads = new AtomicLong();
            AtomicLong byProgram = new AtomicLong();
            List<CompletableFuture<Long>> threads = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(seed);
            for (int t = 0; t < READERS; t++) {
                SplittableRandom own = random.split();
                threads.add(Await.start(() -> read(server.address(), own, over, reads, byProgram, text)));
            }
            threads.add(Await.start(() -> change(book, versions, random.split(), over)));
            long startNs = System.nanoTime();
            Waits.until("enough time and enough reads by program",
                    () -> System.nanoTime() - startNs > RUN_NS && byProgram.get() > LEAST_BY_PROGRAM
                            || threads.stream().anyMatch(CompletableFuture::isDone),
                    () -> "by program=" + byProgram);
            over.set(true);
            threads.forEach(Await::join);
            System.out.println("reads=" + reads + " by program=" + byProgram + " changes="
                    + Await.join(threads.get(READERS)));
        }
    }

    /** Removes, changes, publishes: so that what was read once is never read older. */
    private static long change(
            OffloadedMethod<Quotes> book, Versions versions, SplittableRandom random, AtomicBoolean over) {
        long changes = 0;
        for (; !over.get(); changes++) {
            int key = random.nextInt(KEYS);
            book.remove(q -> q.book(query(key)));
            versions.next(key);
            for (int i = random.nextInt(3); i > 0; i--) {
                assertEquals(MethodPublished.PUBLISHED, book.publish(q -> q.book(query(key))));
            }
            if (random.nextInt(100_000) == 0) {
                book.clear();
            }
            if (random.nextInt(64) == 0) {
                Thread.yield();
            }
        }
        return changes;
    }

    private static long read(String address, SplittableRandom random, AtomicBoolean over, AtomicLong reads,
            AtomicLong byProgram, String seed) {
        long[] seen = new long[KEYS];
        long count = 0;
        try (RpcClient client = RpcClient.connect(address)) {
            Quotes stub = client.stub(Quotes.class);
            for (long told = 0; !over.get(); count++) {
                int key = random.nextInt(KEYS);
                long version = version(query(key), stub.book(query(key)), seed);
                assertTrue(version >= seen[key], () -> "key=" + key + " was seen=" + seen[key] + ", now=" + version
                        + " " + seed);
                seen[key] = version;
                byProgram.addAndGet(client.offloadedCalls() - told);
                told = client.offloadedCalls();
            }
            reads.addAndGet(count);
        }
        return count;
    }

    @Test
    void overlappingPublicationsLeaveTheLatestAnswer() {
        QuotesImpl quotes = new QuotesImpl();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Quotes.class, quotes)
                .offload(Quotes.class, "last(long)", new OffloadSettings()).start();
                RpcClient client = RpcClient.connect(server.address())) {
            OffloadedMethod<Quotes> last = server.offloaded(Quotes.class, "last(long)");
            Quotes stub = client.stub(Quotes.class);
            quotes.last.put(7L, 0L);
            last.publish(q -> q.last(7));
            Await.until("a call by program", () -> stub.last(7) == 0 && client.offloadedCalls() > 0);
            for (int round = 0; round < 300; round++) {
                List<CompletableFuture<Boolean>> threads = new ArrayList<>();
                for (int t = 0; t < 2; t++) {
                    threads.add(Await.start(() -> {
                        for (int i = 0; i < 30; i++) {
                            quotes.last.merge(7L, 1L, Long::sum);
                            last.publish(q -> q.last(7));
                        }
                        return true;
                    }));
                }
                threads.forEach(Await::join);
                assertEquals(quotes.last.get(7L), stub.last(7), "round=" + round);
            }
            assertEquals(1, last.size());
            assertTrue(client.offloadedCalls() > 0);
        }
    }

    @Test
    void aPrimitiveFoundByProgramAllocatesNothing() {
        QuotesImpl quotes = new QuotesImpl();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Quotes.class, quotes).start()) {
            OffloadedMethod<Quotes> last = server.offload(Quotes.class, "last(long)", new OffloadSettings());
            for (long i = 0; i < 64; i++) {
                long id = i;
                quotes.last.put(i, i + 1);
                last.publish(q -> q.last(id));
            }
            try (RpcClient client = RpcClient.builder(server.address())
                    .offloadWait(Duration.ofSeconds(10)).connect()) {
                Quotes stub = client.stub(Quotes.class);
                Await.until("a program", () -> stub.last(0) == 1 && client.offloadedCalls() > 0);
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                call(stub, WARM_UP);
                long least = Long.MAX_VALUE;
                int rounds = 0;
                for (; rounds < LEAST_ROUNDS || least >= NOISE && rounds < MOST_ROUNDS; rounds++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    long startNs = System.nanoTime();
                    call(stub, CALLS);
                    long tookNs = System.nanoTime() - startNs;
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                    System.out.println("ns a call by program: " + tookNs / CALLS);
                }
                assertTrue(least < NOISE, "bytes=" + least + " for calls=" + CALLS);
                assertTrue(client.offloadedCalls() > (long) rounds * CALLS, "by program=" + client.offloadedCalls());
            }
        }
    }

    private static void call(Quotes stub, int times) {
        for (int i = 0; i < times; i++) {
            int id = i & 63;
            if (stub.last(id) != id + 1) {
                throw new AssertionError("instrument=" + id);
            }
        }
    }
}
