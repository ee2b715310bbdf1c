package org.jvrpc.watch.paths;

import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.PathMap;
import org.jvrpc.watch.RackNames;

/**
 * Ways of flows as a file tells them, which is looked at by a thread of its own and read anew when it has changed. A
 * file that cannot be read, or of which one line is wrong, changes nothing. Whoever asks for ways calls
 * {@link #takeOver} now and then, so that ways change between two judgements and never within one; that is one thread.
 */
public final class PathFile implements PathMap, AutoCloseable {

    /** The longest file, in bytes. */
    public static final long MOST_BYTES = 64 << 20;

    private final Path at;
    private final Supplier<List<AgentInfo>> agents;
    private final long everyNs;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;
    private volatile PathTable loaded;
    private volatile String trouble;
    private String seen;
    private PathTable table = PathTable.EMPTY;
    private List<AgentInfo> known = List.of();
    private Map<Integer, End> ends = Map.of();

    /**
     * An agent's place in the table.
     *
     * @param agent -1 when nothing is told of it, or of another start of it
     * @param rack -1 when nothing is told of it
     */
    private record End(String name, int agent, int rack, Component tor, boolean isTraced) { }

    private PathFile(Path at, Supplier<List<AgentInfo>> agents, long everyNs) {
        this.at = at;
        this.agents = Objects.requireNonNull(agents, "agents");
        this.everyNs = everyNs;
        thread = new Thread(this::run, "jvrpc-paths");
        thread.setDaemon(true);
    }

    /**
     * Reads the file, a regular one of {@link #MOST_BYTES} at most.
     *
     * @param agents those of the registry
     * @param everyNs the time between two looks, at least 1 ms
     * @throws IOException when it cannot be read, or says something wrong: says what in one line, with numbers of lines
     */
    public static PathFile open(Path at, Supplier<List<AgentInfo>> agents, long everyNs) throws IOException {
        if (everyNs < 1_000_000) {
            throw new IllegalArgumentException("everyNs must be at least 1000000, everyNs=" + everyNs);
        }
        PathFile file = new PathFile(at, agents, everyNs);
        file.look();
        if (file.trouble != null) {
            throw new IOException(file.trouble);
        }
        file.thread.start();
        return file;
    }

    private void run() {
        try {
            while (!end.await(everyNs, TimeUnit.NANOSECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        String now = null;
        try {
            now = fingerprint();
            if (now.equals(seen)) {
                return;
            }
            PathTable next = read();
            if (!now.equals(fingerprint())) {
                throw new IOException("changed while it was read; write another file and rename it");
            }
            loaded = next;
            seen = now;
            trouble = null;
        } catch (IllegalArgumentException e) {
            seen = now; // what is wrong stays so until somebody mends it
            trouble = at + why(e);
        } catch (IOException e) {
            seen = null;
            trouble = at + why(e);
        }
    }

    private static String why(Exception e) {
        if (e instanceof NoSuchFileException) {
            return ": there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return ": may not be read";
        }
        return e instanceof CharacterCodingException ? ": is not UTF-8" : ": " + e.getMessage();
    }

    private String fingerprint() throws IOException {
        BasicFileAttributes of = Files.readAttributes(at, BasicFileAttributes.class);
        if (!of.isRegularFile()) { // which may never end, or never begin
            throw new IllegalArgumentException(of.isDirectory() ? "is a directory" : "is no regular file");
        }
        if (of.size() > MOST_BYTES) {
            throw new IllegalArgumentException("has " + of.size() + " bytes, " + MOST_BYTES + " at most are read");
        }
        return of.fileKey() + " " + of.size() + " " + of.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }

    private PathTable read() throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new Bounded(Files.newInputStream(at)),
                StandardCharsets.UTF_8.newDecoder()))) {
            return new PathReader().read(in);
        }
    }

    /** Refuses to read on in a file that grows without end. */
    private static final class Bounded extends FilterInputStream {
        private long left = MOST_BYTES;

        private Bounded(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int count = super.read(to, offset, length);
            left -= Math.max(0, count);
            if (left < 0) {
                throw new IOException("more than " + MOST_BYTES + " bytes");
            }
            return count;
        }
    }

    // ---- who asks

    /** Takes what was read last, and the registry's agents as they are now. @return true when ways have changed */
    public boolean takeOver() {
        PathTable next = loaded;
        List<AgentInfo> now = agents.get();
        if (next == table && now == known) {
            return false;
        }
        boolean changed = next != table;
        table = next;
        known = now;
        RackNames racks = RackNames.of(now);
        Map<Integer, End> places = new HashMap<>();
        for (AgentInfo agent : now) {
            places.put(agent.id(), place(agent, racks));
        }
        ends = places;
        return changed;
    }

    private End place(AgentInfo agent, RackNames racks) {
        int named = table.end(agent.name());
        int rack = table.end(PathTable.RACK + racks.name(agent));
        if (rack < 0) {
            rack = table.end(PathTable.RACK + RackNames.full(agent));
        }
        int speaks = named >= 0 ? named : rack; // of its ToR, which another start does not change
        int current = table.isStale(agent.name(), agent.incarnation()) ? -1 : named;
        return new End(agent.name(), current, rack, speaks < 0 ? null : table.tor(speaks), current >= 0 || rack >= 0);
    }

    @Override
    public List<Component> path(int fromAgent, int toAgent, int flow) {
        End from = ends.get(fromAgent);
        End to = ends.get(toAgent);
        if (from == null || to == null) {
            return List.of();
        }
        List<Component> way = from.agent < 0 || to.agent < 0 ? null : table.way(from.agent, to.agent, flow);
        if (way == null && from.rack >= 0 && to.rack >= 0) {
            way = table.way(from.rack, to.rack, flow);
        }
        if (way == null) {
            return List.of();
        }
        List<Component> path = new ArrayList<>(way.size() + 2);
        path.add(new Component(Kind.LINK, from.name + '>' + way.get(0).name()));
        path.addAll(way);
        path.add(new Component(Kind.LINK, way.get(way.size() - 1).name() + '>' + to.name));
        return path;
    }

    @Override
    public Component tor(int agent) {
        End at = ends.get(agent);
        return at == null ? null : at.tor;
    }

    @Override
    public boolean isTraced(int agent) {
        End at = ends.get(agent);
        return at != null && at.isTraced;
    }

    /** Returns how many ways the file tells that was read last. Any thread. */
    public int size() {
        return loaded.size();
    }

    /** Returns why the file is not what ways are taken from, or null. Any thread. */
    public String trouble() {
        return trouble;
    }

    /** Returns what in the file that was read last may be a mistake, or null. Any thread. */
    public String doubt() {
        return loaded.doubt();
    }

    /** Ends its thread. Idempotent. */
    @Override
    public void close() {
        end.countDown();
        try {
            thread.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
