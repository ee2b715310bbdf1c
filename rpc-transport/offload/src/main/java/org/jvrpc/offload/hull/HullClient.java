package org.jvrpc.offload.hull;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** An application's connection to its hull. Any thread. */
public final class HullClient implements AutoCloseable {

    /** The environment variable that tells an application where to ask its hull. */
    public static final String VARIABLE = "JVRPC_HULL";
    /** Exit status of an application whose hull died. */
    public static final int HULL_GONE = 71;

    private static final int MAX_LINE = 1 << 20;
    private static final long TIMEOUT_NS = 10_000_000_000L;
    private static final long EXIT_MS = 5000;
    private static final String GONE = "";

    private final Path control;
    private final ControlSocket socket;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Runnable whenGone;
    private final MemoryRegion region;
    private final long generation;
    private final String address;
    private boolean formatted;
    private volatile boolean closed;

    private HullClient(Device device, Path control, Runnable whenGone) {
        this.control = control;
        this.whenGone = Objects.requireNonNull(whenGone, "whenGone");
        try {
            this.socket = ControlSocket.connect(control, MAX_LINE);
        } catch (IOException | IllegalArgumentException e) {
            throw new VerbsException("hull", "no hull at control=" + control + ": " + e.getMessage(), e);
        }
        Thread reader = new Thread(this::read, "jvrpc-hull-watch");
        reader.setDaemon(true);
        reader.start();
        try {
            String[] words = ask(4, ControlLine.ATTACH, ProcessHandle.current().pid());
            this.region = device.attach(Base64.getUrlDecoder().decode(words[0]));
            this.generation = Long.parseLong(words[1]);
            this.formatted = Boolean.parseBoolean(words[2]);
            this.address = words[3];
        } catch (RuntimeException e) {
            closed = true;
            socket.close();
            throw e;
        }
    }

    /** Returns true in a process that a hull started. */
    public static boolean isInHull() {
        return System.getenv(VARIABLE) != null;
    }

    /**
     * Attaches to the hull that started this process. When the hull dies, this process ends by {@link System#exit} with
     * {@link #HULL_GONE}: nobody finds its memory any more.
     *
     * @param device of this process, which outlives the client
     * @throws VerbsException when there is no hull, or another application is attached to it
     */
    public static HullClient attach(Device device) {
        return attach(device, () -> end(EXIT_MS));
    }

    /** As {@link #attach(Device)}, and does something else when the hull dies; on a thread of its own. */
    public static HullClient attach(Device device, Runnable whenGone) {
        String path = System.getenv(VARIABLE);
        if (path == null) {
            throw new VerbsException("hull", "this process was not started by a hull: " + VARIABLE + " is not set");
        }
        return attach(device, Path.of(path), whenGone);
    }

    /** As {@link #attach(Device, Runnable)}, to the hull with a certain control socket. */
    public static HullClient attach(Device device, Path control, Runnable whenGone) {
        return new HullClient(device, control, whenGone);
    }

    /** @param exitMs how long shutdown hooks may take */
    static void end(long exitMs) {
        System.err.println("hull: the hull of this process is dead: ending, status=" + HULL_GONE);
        Thread exit = new Thread(() -> System.exit(HULL_GONE), "jvrpc-hull-exit");
        exit.start();
        try {
            exit.join(exitMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(HULL_GONE); // a shutdown hook hangs
    }

    private void read() {
        try {
            for (String line = socket.readLine(); line != null; line = socket.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            System.getLogger(HullClient.class.getName()).log(System.Logger.Level.DEBUG, control + ": " + e);
        }
        answers.add(GONE);
        boolean lost;
        synchronized (this) { // who is interrupted while it writes ends the connection before it can say so
            lost = !closed;
        }
        if (lost) {
            whenGone.run();
        }
    }

    /** Asks, and returns the words after {@code ok}. @param count how many there must be, -1 for any number */
    private synchronized String[] ask(int count, Object... request) {
        String line = null;
        try {
            if (!closed && !GONE.equals(answers.peek())) {
                socket.writeLine(ControlLine.of(request));
                line = answers.poll(TIMEOUT_NS, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException | ClosedByInterruptException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new VerbsException("hull", "the hull at control=" + control + " is gone: " + e, e);
        }
        if (line == null || line.equals(GONE)) {
            answers.add(GONE);
            closed |= line == null;
            socket.close(); // whatever it answers later would answer another request
            throw new VerbsException("hull", "the hull at control=" + control + " does not answer, or is gone");
        }
        String[] words = ControlLine.words(line);
        if (!words[0].equals(ControlLine.OK) || count >= 0 && words.length != count + 1) {
            throw new VerbsException("hull", "the hull at control=" + control + " refuses: "
                    + (words[0].equals(ControlLine.ERROR) && words.length > 1 ? words[1] : line));
        }
        return Arrays.copyOfRange(words, 1, words.length);
    }

    /** Returns the hull's memory. It ends with this client. */
    public MemoryRegion region() {
        return region;
    }

    /** Returns where clients of lookups connect. */
    public String address() {
        return address;
    }

    /** Returns the how-manieth application of the hull this is, from 1 on. */
    public long generation() {
        return generation;
    }

    /** Returns true when this application or one before has said that the memory is {@link #formatted formatted}. */
    public synchronized boolean isFormatted() {
        return formatted;
    }

    /** Tells those to come whether what lies in the memory can be taken up. False until it is told. */
    public synchronized void formatted(boolean formatted) {
        ask(0, ControlLine.FORMATTED, formatted);
        this.formatted = formatted;
    }

    /** Offers a lookup without a limit of the rate, of a program that re-arms itself; see {@link Offer}. */
    public Offered offer(String name, LookupKind kind, long header) {
        return offer(name, kind, header, Offer.Rearm.RECYCLED, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Offers a lookup over the hull's memory. The offer stays when this process ends.
     *
     * @param header offset in the memory of what tells clients where to search
     * @throws VerbsException when the hull refuses
     */
    public Offered offer(
            String name, LookupKind kind, long header, Offer.Rearm rearm, long wqesPerSecond, int burst) {
        return Offered.valueOf(ask(1, ControlLine.OFFER, name, kind.name(), header, rearm, wqesPerSecond, burst)[0]);
    }

    /** As {@link #offerInSecret(String, LookupKind, long, Offer.Rearm, long, int)}, without a limit of the rate. */
    public String offerInSecret(String name, LookupKind kind, long header) {
        return offerInSecret(name, kind, header, Offer.Rearm.RECYCLED, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Offers a lookup by a name that nobody can guess, which the host tells nobody, and ends those that were offered in
     * secret by the same name before, of an application before this one, too: who uses them is cut off.
     *
     * @return the name, which has a tilde and 16 characters more
     * @throws VerbsException when the hull refuses
     */
    public String offerInSecret(
            String name, LookupKind kind, long header, Offer.Rearm rearm, long wqesPerSecond, int burst) {
        String secret = Offer.secretName(name);
        offer(secret, kind, header, rearm, wqesPerSecond, burst);
        ask(1, ControlLine.ALONE, secret);
        return secret;
    }

    /** Ends an offer and cuts off who uses it. @return false when there is none of this name */
    public boolean withdraw(String name) {
        return Boolean.parseBoolean(ask(1, ControlLine.WITHDRAW, name)[0]);
    }

    /** Returns who uses lookups now. */
    public List<HostedLookup> clients() {
        String[] words = ask(-1, ControlLine.CLIENTS);
        List<HostedLookup> clients = new ArrayList<>();
        for (int i = 0; i + 2 < words.length; i += 3) {
            clients.add(new HostedLookup(Long.parseLong(words[i]), words[i + 1], Long.parseLong(words[i + 2])));
        }
        return clients;
    }

    /** Ends a client's program for good. @return false when there is no such client */
    public boolean cutOff(long number) {
        return Boolean.parseBoolean(ask(1, ControlLine.CUT, number)[0]);
    }

    /** Lets go of the memory; the offers stay. Idempotent. */
    @Override
    public void close() {
        closed = true;
        socket.close();
        region.close();
    }
}
