package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The server process of a contender, its client processes, and what is between them, if any. Stopped but between
 * {@link #resume} and {@link #stop}.
 */
public final class Pair implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Contender contender;
    private final Child server;
    private final List<Child> clients;
    /** Null for most. */
    private final Child third;
    private final Path folder;

    private Pair(Contender contender, Path folder, Child third, Child server, List<Child> clients) {
        this.contender = contender;
        this.folder = folder;
        this.third = third;
        this.server = server;
        this.clients = clients;
    }

    /** Starts what is between, the server and then the clients; all are left running. */
    public static Pair start(Run run, Contender contender, int clientCount) throws ContenderException {
        String name = contender.name();
        Path folder = run.folderOf(contender);
        Child third = contender.third() == null ? null
                : run.start(name + " third", contender, folder, List.of(Walls.THIRD, name, folder.toString()));
        Child server = run.start(name + " server", contender, folder,
                List.of(Walls.SERVER, name, folder.toString(), Integer.toString(clientCount)));
        List<Child> clients = new ArrayList<>();
        for (int i = 0; i < clientCount; i++) {
            clients.add(run.start(name + " client", contender, folder,
                    List.of(Walls.CLIENT, name, server.greeting(), Integer.toString(i))));
        }
        return new Pair(contender, folder, third, server, clients);
    }

    /** Returns the contender. */
    public Contender contender() {
        return contender;
    }

    /** Returns the server process. */
    public Child server() {
        return server;
    }

    /** Keeps both ends on the first processor, and what is between them on the second. */
    public void shareProcessors(Pinning pinning) throws ContenderException {
        pin(pinning, 0, 0);
        try {
            pinning.pin(third.pid(), 1);
        } catch (IOException e) {
            throw new ContenderException(contender.name() + ": taskset: " + e.getMessage());
        }
    }

    /** Keeps clients and server on a processor each; what is between them stays where it is. */
    public void pin(Pinning pinning, int client, int serving) throws ContenderException {
        try {
            for (Child each : clients) {
                pinning.pin(each.pid(), client);
            }
            pinning.pin(server.pid(), serving);
        } catch (IOException e) {
            throw new ContenderException(contender.name() + ": taskset: " + e.getMessage());
        }
    }

    /** Returns the folder of the contender in its run. */
    public Path folder() {
        return folder;
    }

    /** Returns the process between, or null. */
    public Child third() {
        return third;
    }

    /** Returns the first client process. */
    public Child client() {
        return clients.get(0);
    }

    /** Lets all processes end by themselves, clients first, however long that takes within a limit for each. */
    void awaitEnd(Duration limit) throws ContenderException {
        for (Child client : clients) {
            client.awaitEnd(limit);
        }
        server.awaitEnd(limit);
        if (third != null) {
            third.awaitEnd(limit);
        }
    }

    /** Stops all processes of the pair. */
    public void stop() {
        clients.forEach(Child::stop);
        server.stop();
        if (third != null && contender.third().get().canBeStopped()) {
            third.stop();
        }
    }

    /**
     * Lets all processes of the pair go on. The server first: a spinning one then has its processor before a client is
     * woken, which the scheduler puts on another; two spinners on one processor would take turns of milliseconds.
     */
    public void resume() {
        if (third != null) {
            third.resume();
        }
        server.resume();
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.forEach(Child::resume);
    }

    /** Lets the first client make calls and returns their times. */
    public Histogram latency(Workload workload, Duration settle, Duration duration, long maxSamples)
            throws ContenderException {
        String command = "latency " + workload + ' ' + settle.toNanos() + ' ' + duration.toNanos() + ' ' + maxSamples;
        return decode(client().ask(command, settle.plus(duration).plus(GRACE)));
    }

    /** Lets the first client, which has just been started, make calls until its process is so old. */
    public Slices slices(Workload workload, Duration age) throws ContenderException {
        String answer = client().ask("slices " + workload + ' ' + age.toMillis(), age.plus(GRACE));
        try {
            return Slices.parse(answer);
        } catch (IllegalArgumentException e) {
            throw new ContenderException(contender.name() + ": answer is not a row of slices: " + e.getMessage());
        }
    }

    /** Lets the first client make calls in batches and returns what whole batches took. */
    public Histogram batches(Workload workload, Duration duration, int calls) throws ContenderException {
        String command = "batches " + workload + ' ' + duration.toNanos() + ' ' + calls;
        return decode(client().ask(command, duration.plus(GRACE)));
    }

    /** Lets the first client make so many calls a second and returns their times, each from when it was due. */
    public Histogram paced(Workload workload, Duration duration, int rate) throws ContenderException {
        String command = "paced " + workload + ' ' + duration.toNanos() + ' ' + rate;
        return decode(client().ask(command, duration.multipliedBy(2).plus(GRACE)));
    }

    /** Lets the first client make calls of a warm-up. */
    public WarmUp.Window window(Workload workload, Duration duration) throws ContenderException {
        Histogram times = latency(workload, Duration.ZERO, duration, Long.MAX_VALUE);
        return new WarmUp.Window(times.getValueAtPercentile(50), times.getTotalCount());
    }

    /** Lets the first client make connections of a warm-up. */
    public WarmUp.Window connections(Duration duration) throws ContenderException {
        Histogram times = connect(duration);
        return new WarmUp.Window(times.getValueAtPercentile(50), times.getTotalCount());
    }

    /** Lets clients make calls of a warm-up at once, as {@link #pipeline} does. */
    public WarmUp.Window window(int clientCount, int threads, int window, Duration duration)
            throws ContenderException {
        double rate = pipeline(clientCount, threads, window, duration);
        return new WarmUp.Window(rate, Math.round(rate * duration.toNanos() / 1e9));
    }

    /** Returns what the compilers of all processes have worked since they began, in milliseconds; 0 for programs. */
    long compiledMs() throws ContenderException {
        if (!contender.program().isEmpty()) {
            return 0;
        }
        double sum = number(server.ask("compiled", GRACE));
        sum += third == null ? 0 : number(third.ask("compiled", GRACE));
        for (Child client : clients) {
            sum += client.isStopped() ? 0 : number(client.ask("compiled", GRACE));
        }
        return Math.round(sum);
    }

    /** Returns the bytes that all processes hold together: of memory, and once more what lives on their heaps. */
    public long memory() throws ContenderException {
        long bytes = serverMemory();
        for (Child client : clients) {
            bytes += memory(client);
        }
        return bytes;
    }

    /** Returns the same of the server's process. */
    public long serverMemory() throws ContenderException {
        return memory(server);
    }

    /** Returns the bytes that live on the heap of the server's process. */
    public long serverHeap() throws ContenderException {
        return Math.round(number(server.ask("heap", GRACE)));
    }

    /** Returns the same of the process between. */
    public long thirdMemory() throws ContenderException {
        return memory(third);
    }

    private long memory(Child child) throws ContenderException {
        double heap = number(child.ask("heap", GRACE));
        try {
            return Math.round(heap + Memory.ofProcess(child.pid()));
        } catch (IOException e) {
            throw new ContenderException(
                    contender.name() + ": memory of pid=" + child.pid() + ": " + e.getMessage());
        }
    }

    /** Lets the first client connect, call once and disconnect, over and over, and returns the times. */
    public Histogram connect(Duration duration) throws ContenderException {
        return decode(client().ask("connect " + duration.toNanos(), duration.plus(GRACE)));
    }

    /**
     * Lets the first {@code clientCount} clients, with {@code threads} threads each, call at once. Returns calls a
     * second.
     */
    public double pipeline(int clientCount, int threads, int window, Duration duration) throws ContenderException {
        for (Child spare : clients.subList(clientCount, clients.size())) {
            spare.stop();
        }
        for (Child client : clients.subList(0, clientCount)) {
            client.send("pipeline " + threads + ' ' + window + ' ' + duration.toNanos());
        }
        double rate = 0;
        for (Child client : clients.subList(0, clientCount)) {
            rate += Double.parseDouble(client.answer(duration.plus(GRACE)));
        }
        return rate;
    }

    /**
     * Counts what the first client and its server allocate in so many calls. Returns bytes a call, both together,
     * without what asking the server for its sum costs, which is measured, too.
     */
    public double allocated(Workload workload, long calls) throws ContenderException {
        double first = number(server.ask("allocated", GRACE));
        double before = number(server.ask("allocated", GRACE));
        double client = number(client().ask("allocated " + workload + ' ' + calls, GRACE.multipliedBy(2)));
        double asking = before - first;
        return Math.max(0, number(server.ask("allocated", GRACE)) - before - asking + client) / calls;
    }

    private double number(String answer) throws ContenderException {
        try {
            return Double.parseDouble(answer);
        } catch (NumberFormatException e) {
            throw new ContenderException(contender.name() + ": answer is not a number: " + answer);
        }
    }

    private Histogram decode(String answer) throws ContenderException {
        try {
            return contender.program().isEmpty() ? decodeBase64(answer) : TimeCounts.parse(answer);
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new ContenderException(contender.name() + ": answer is not a histogram: " + e.getMessage());
        }
    }

    private static Histogram decodeBase64(String base64) throws DataFormatException {
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 1);
    }

    @Override
    public void close() {
        resume();
        for (Child client : clients) {
            client.close();
        }
        server.close();
        if (third != null) {
            third.close();
        }
    }
}
