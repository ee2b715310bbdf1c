package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.offload.hull.Hull;
import org.jvrpc.offload.hull.HullClient;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.Quotes.Query;
import org.jvrpc.runtime.contract.Quotes.Quote;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.history.History;
import org.jvrpc.testing.history.Linearizability;
import org.jvrpc.testing.history.Operation;
import org.jvrpc.testing.history.Register;
import org.jvrpc.verbs.Devices;

/**
 * Published answers are registers, of 0 in the beginning, where whoever writes removes the old answer, changes, and
 * publishes the new one, one writer a register: so {@link OffloadedMethod} promises. Then it does not matter to readers
 * whether a program or the server answers.
 */
class OffloadHistoryTest {

    private static final int KEYS = 3;
    private static final int READS = 1500;
    private static final int LEAST_BY_PROGRAM = 300;
    private static final int LEAST_WRITES = 300;
    private static final int ROUNDS = 2;
    private static final int AFTERWARDS = 200;
    private static final int WRITES_OF_A_READ = 10;
    private static final int READS_AT_ONCE = 10;
    private static final String KEY = "r";
    private static final int MOST_WRITES = 6000;

    /** The truth of a server, and how it is changed. */
    private static final class Registers {

        private final Map<Integer, Long> values = new ConcurrentHashMap<>();
        private final Quotes answers = new BookQuotes(query -> book(query, values.getOrDefault(query.depth(), 0L)));

        static Query query(int key) {
            return new Query("venue of key " + key, key);
        }

        /** Several hundred bytes, all of which follow from the number. */
        static List<Quote> book(Query query, long number) {
            List<Quote> book = new ArrayList<>();
            for (int i = 0; i < 3 + number % 5; i++) {
                book.add(new Quote(number, number * 0.5, query.venue()));
            }
            return book;
        }

        static long read(Quotes stub, int key) {
            List<Quote> book = stub.book(query(key));
            long number = book.get(0).instrument();
            assertEquals(book(query(key), number), book);
            return number;
        }

        void publish(OffloadedMethod<Quotes> method, int key) {
            assertEquals(MethodPublished.PUBLISHED, method.publish(q -> q.book(query(key))));
        }

        /** Where nothing is published then, the server answers. */
        void write(OffloadedMethod<Quotes> method, int key, long number, SplittableRandom random) {
            method.remove(q -> q.book(query(key)));
            values.put(key, number);
            int how = random.nextInt(16);
            for (int i = 0; i < how % 4; i++) {
                publish(method, key);
            }
            if (how > 3) {
                method.publish(q -> q.book(query(key)), book(query(key), number));
            }
        }
    }

    private static OffloadSettings settings() {
        return new OffloadSettings().capacity(KEYS);
    }

    private static RpcClient connect(String address) {
        return RpcClient.builder(address).offloadWait(Duration.ofSeconds(10)).connect();
    }

    /** A process that reads: ADDRESS WHO SEED. */
    static final class Reader {

        private Reader() {
        }

        public static void main(String[] arguments) throws InterruptedException {
            SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
            try (RpcClient client = connect(arguments[0])) {
                Quotes stub = client.stub(Quotes.class);
                Registers.read(stub, 0);
                Parent.say("READY");
                Parent.told();
                for (int i = 0; i < READS || client.offloadedCalls() < LEAST_BY_PROGRAM; i++) {
                    int key = random.nextInt(KEYS);
                    Consumer<Object> ended = History.tell(arguments[1], KEY + key, new Register.Get());
                    ended.accept(Registers.read(stub, key));
                }
                Parent.say("BY PROGRAM " + client.offloadedCalls());
            }
        }
    }

    private static final class Run {

        final History history = new History();
        final long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        final SplittableRandom random = new SplittableRandom(seed);
        /** Reads of each reader, so that they go along with what else happens, and are not too many to be judged. */
        final AtomicLong allowed = new AtomicLong();
        final List<AtomicLong> tried = new CopyOnWriteArrayList<>();
        final AtomicBoolean over = new AtomicBoolean();

        Run() {
            System.out.println(this);
        }

        @Override
        public String toString() {
            return "-Djvrpc.seed=" + seed;
        }

        /** Has a client read until all is over. */
        CompletableFuture<Long> reader(RpcClient client, String who, String keys) {
            SplittableRandom own = random.split();
            AtomicLong reads = new AtomicLong(allowed.get());
            tried.add(reads);
            return Await.start(() -> {
                Quotes stub = client.stub(Quotes.class);
                while (!over.get()) {
                    if (reads.get() >= allowed.get()) {
                        Thread.yield();
                        continue;
                    }
                    int key = own.nextInt(KEYS);
                    try {
                        history.record(who, keys + key, new Register.Get(), () -> Registers.read(stub, key));
                    } catch (RpcException e) {
                        assertEquals(Status.UNAVAILABLE, e.status(), e::getMessage);
                    }
                    reads.incrementAndGet();
                }
                return client.offloadedCalls();
            });
        }

        /** Allows each reader so many more reads, and waits for them. */
        void letRead(int more, List<CompletableFuture<Long>> readers) {
            long all = allowed.addAndGet(more);
            Waits.until("reads", () -> tried.stream().allMatch(reads -> reads.get() >= all)
                    || readers.stream().anyMatch(CompletableFuture::isDone), () -> tried + " of " + all);
            readers.stream().filter(CompletableFuture::isDone).forEach(Await::join);
        }

        /** Has clients that were given few of the reads read on until enough of them were by program. */
        void readByProgram(Registers registers, OffloadedMethod<Quotes> method, List<RpcClient> clients) {
            for (int key = 0; key < KEYS; key++) {
                registers.publish(method, key);
            }
            for (RpcClient client : clients) {
                Quotes stub = client.stub(Quotes.class);
                for (int reads = 0; client.offloadedCalls() < LEAST_BY_PROGRAM; reads++) {
                    assertTrue(reads < MOST_WRITES, () -> "by program: " + client.offloadedCalls() + ", " + this);
                    int key = reads % KEYS;
                    history.record("reader", KEY + key, new Register.Get(), () -> Registers.read(stub, key));
                }
            }
        }

        void check() {
            List<Operation> all = history.operations();
            long pending = all.stream().filter(Operation::isPending).count();
            System.out.println("operations=" + all.size() + " pending=" + pending);
            long read = all.stream().filter(each -> each.call() instanceof Register.Get && !each.isPending()).count();
            assertTrue(read >= AFTERWARDS, () -> read + " reads, " + this);
            Linearizability.check(Register.of(0), all, toString());
        }
    }

    @Test
    void clientsAndProcessesReadWhatTheServerPublishes() {
        Run run = new Run();
        Registers registers = new Registers();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Quotes.class, registers.answers)
                .offload(Quotes.class, "book", settings()).start();
                RpcClient client = connect(server.address());
                RpcClient second = connect(server.address());
                ChildJvm child = reader(server, run, 0);
                ChildJvm other = reader(server, run, 1)) {
            OffloadedMethod<Quotes> book = server.offloaded(Quotes.class, "book");
            List<ChildJvm> children = List.of(child, other);
            children.forEach(each -> each.expect("READY"));
            children.forEach(each -> each.tell("read"));
            List<CompletableFuture<Long>> readers =
                    List.of(run.reader(client, "client", KEY), run.reader(second, "second", KEY));
            SplittableRandom own = run.random.split();
            for (long number = 1; number <= LEAST_WRITES || number <= MOST_WRITES && (child.isAlive()
                    || other.isAlive() || client.offloadedCalls() < LEAST_BY_PROGRAM
                    || second.offloadedCalls() < LEAST_BY_PROGRAM); number++) {
                int key = own.nextInt(KEYS);
                long value = number;
                run.history.record("server", KEY + key, new Register.Set(value), () -> {
                    registers.write(book, key, value, own);
                    return Register.DONE;
                });
                run.letRead(1, readers);
            }
            // Some are slow, and the history is to be judged: from here on it is only read.
            run.readByProgram(registers, book, List.of(client, second));
            run.over.set(true);
            readers.forEach(Await::join);
            for (ChildJvm each : children) {
                each.expectEnd();
                assertTrue(run.history.add(each.output(), Register.Call::parse, Register::answer) >= READS);
            }
        }
        run.check();
    }

    private static ChildJvm reader(RpcServer server, Run run, int number) {
        return JavaCommand.of(Reader.class).arguments(
                server.address(), "child-" + number, Long.toString(run.random.nextLong())).start();
    }

    /**
     * An application of a hull: ADDRESS SEED KEYS. The first one serves and writes until it is killed. The next one
     * takes up what that left, and serves elsewhere: the truth was in the memory of the first.
     */
    static final class Writer {

        private Writer() {
        }

        public static void main(String[] arguments) throws InterruptedException {
            HullClient hull = HullClient.attach(Devices.open(arguments[0]));
            boolean first = hull.generation() == 1;
            Registers registers = new Registers();
            String address = first ? arguments[0] : arguments[0] + "-next";
            RpcServer server = RpcServer.builder().bind(address).service(Quotes.class, registers.answers)
                    .offload(Quotes.class, "book", settings().hosted(hull.address(), "book", hull.region(), 0)).start();
            OffloadedMethod<Quotes> book = server.offloaded(Quotes.class, "book");
            hull.offer("book", LookupKind.HASH_GET, book.header());
            Parent.say((first ? "FIRST " : "NEXT ") + ProcessHandle.current().pid());
            Parent.say("PUBLISHED " + book.size());
            SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
            for (long number = 1; first; number++) {
                int key = random.nextInt(KEYS);
                Consumer<Object> ended = History.tell("server", arguments[2] + key, new Register.Set(number));
                registers.write(book, key, number, random);
                ended.accept(Register.DONE);
            }
            Parent.idle();
        }
    }

    @Test
    void programsGoOnWithWhatAKilledServerLeftAndItsSuccessorTakesUp() {
        Run run = new Run();
        for (int round = 0; round < ROUNDS; round++) {
            run.over.set(false);
            run.tried.clear();
            killed(run, KEY + round + "-");
        }
        run.check();
    }

    private static void killed(Run run, String keys) {
        String address = ShmFolder.address();
        try (ChildJvm hull = JavaCommand.of(Hull.class).option("-Xmx64m").readsItsInput()
                .arguments("--address", ShmFolder.address(), "--bytes", "1m", "--quick-ms", "0", "--")
                .arguments(JavaCommand.of(Writer.class).option("-Xmx256m")
                        .arguments(address, Long.toString(run.random.nextLong()), keys).toList()).start()) {
            long pid = Long.parseLong(hull.expect("FIRST"));
            try (RpcClient client = connect(address); RpcClient second = connect(address)) {
                List<CompletableFuture<Long>> readers =
                        List.of(run.reader(client, "client", keys), run.reader(second, "second", keys));
                for (int i = 20 + run.random.nextInt(50); i > 0; i--) {
                    for (int written = 0; written < WRITES_OF_A_READ; written++) {
                        hull.expect("ENDED"); // the server does not wait, and is ahead of what is read here
                    }
                    run.letRead(READS_AT_ONCE, readers);
                }
                Processes.kill(pid);
                Waits.until("the end of the server", () -> !Processes.isRunning(pid));
                long before = client.offloadedCalls();
                run.letRead(AFTERWARDS, readers);
                hull.expect("NEXT");
                run.letRead(AFTERWARDS, readers);
                run.over.set(true);
                readers.forEach(Await::join);
                String published = hull.expect("PUBLISHED");
                assertTrue(client.offloadedCalls() > before || published.equals("0"), "by program: " + published);
            }
            hull.kill();
            hull.exitStatus();
            run.history.add(hull.output(), Register.Call::parse, Register::answer);
        }
    }
}
