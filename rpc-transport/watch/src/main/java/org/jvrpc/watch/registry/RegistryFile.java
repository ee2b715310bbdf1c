package org.jvrpc.watch.registry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Registry;

/**
 * Agents from a file, or from the files {@code *.agent} of a folder, a line each; empty lines and those that begin with
 * # do not count. An agent puts a file of its own into a folder, which hosts may share, and takes it away when it ends;
 * of one that dies, the file stays. An agent's own file that goes is put there again; a folder that loses all of its
 * files is trouble, and the list stays as it was. Looks for changes by a thread of its own. Any thread.
 */
public final class RegistryFile implements Registry {

    private static final String SUFFIX = ".agent";
    private static final int MOST_FILE_BYTES = 4 << 20;
    private static final int MOST_AGENTS = 10_000;

    private final Path at;
    private final AgentInfo self;
    private final long everyNs;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;
    private volatile State state = new State(0, List.of(), null);
    private TreeMap<String, String> seen;
    private List<String> lines = List.of();

    /** What is known; replaced as a whole. */
    private record State(long epoch, List<AgentInfo> agents, String trouble) { }

    private RegistryFile(Path at, AgentInfo self, long everyNs) {
        this.at = at;
        this.self = self;
        this.everyNs = everyNs;
        this.thread = new Thread(this::run, "jvrpc-agents");
        thread.setDaemon(true);
    }

    /**
     * Reads the file or folder.
     *
     * @param self who is put into the folder; null for one who only reads, and for a file, which others write
     * @param everyNs the time between two looks, at least 1 ms
     * @throws IOException when it cannot be read or written
     * @throws IllegalArgumentException when a file is to have {@code self}
     */
    public static RegistryFile open(Path at, AgentInfo self, long everyNs) throws IOException {
        if (everyNs < 1_000_000) {
            throw new IllegalArgumentException("everyNs must be at least 1000000, everyNs=" + everyNs);
        }
        RegistryFile registry = new RegistryFile(at, self, everyNs);
        if (self != null) {
            registry.write();
        } else if (!Files.exists(at)) {
            throw new NoSuchFileException(at + ": there is no such file or folder");
        }
        registry.look();
        if (registry.state.trouble != null && registry.state.agents.isEmpty()) {
            throw new IOException(registry.state.trouble);
        }
        registry.thread.start();
        return registry;
    }

    private Path own() {
        return at.resolve(self.id() + SUFFIX);
    }

    private void write() throws IOException {
        if (!Files.isDirectory(at)) {
            throw new IllegalArgumentException(at + " is no folder, where agents can put their own lines");
        }
        Path fresh = Files.createTempFile(at, "agent", ".new");
        try {
            Files.writeString(fresh, AgentLine.format(self) + "\n");
            Files.move(fresh, own(), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
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

    /** Reads anew when anything has changed. */
    private void look() {
        try {
            TreeMap<String, String> found = files();
            if (self != null && !found.containsKey(own().getFileName().toString())) {
                write();
            }
            if (found.isEmpty() && !state.agents.isEmpty()) {
                trouble(" has no agents any more: the list is that of before");
            } else if (!found.equals(seen) || state.trouble != null) { // a right given later does not show
                read(found);
                seen = found;
            }
        } catch (DirectoryIteratorException e) {
            trouble(" cannot be read: " + e.getCause());
        } catch (IOException e) {
            trouble(" cannot be read: " + (e instanceof NoSuchFileException ? "it is not there" : e.toString()));
        } catch (IllegalArgumentException e) {
            trouble(" cannot be written: " + e.getMessage());
        }
    }

    private void trouble(String why) {
        seen = null;
        state = new State(state.epoch, state.agents, at + why);
    }

    /** Returns what tells whether each file is the same as before. */
    private TreeMap<String, String> files() throws IOException {
        TreeMap<String, String> found = new TreeMap<>();
        if (!Files.isDirectory(at)) {
            found.put("", fingerprint(at));
            return found;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(at, "*" + SUFFIX)) {
            for (Path file : files) {
                try {
                    found.put(file.getFileName().toString(), fingerprint(file));
                } catch (NoSuchFileException e) {
                    continue; // it went just now
                }
            }
        }
        return found;
    }

    private static String fingerprint(Path file) throws IOException {
        BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
        return of.fileKey() + " " + of.size() + " " + of.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }

    private void read(TreeMap<String, String> files) {
        List<AgentInfo> agents = new ArrayList<>();
        String trouble = null;
        for (String name : files.keySet()) {
            Path file = name.isEmpty() ? at : at.resolve(name);
            String bad = read(file, agents);
            trouble = bad == null ? trouble : bad;
        }
        trouble = trouble == null ? AgentLine.clash(agents) : trouble;
        List<String> now = agents.stream().map(AgentLine::format).toList();
        boolean same = now.equals(lines) && state.epoch > 0; // though a file is another, or still bad
        lines = now;
        state = same ? new State(state.epoch, state.agents, trouble)
                : new State(state.epoch + 1, List.copyOf(agents), trouble);
    }

    /** Adds the agents of a file. @return what is wrong with it, or null */
    private static String read(Path file, List<AgentInfo> to) {
        String[] lines;
        try {
            if (!Files.isRegularFile(file)) {
                return file + " is no regular file";
            }
            byte[] bytes = bytes(file);
            if (bytes.length > MOST_FILE_BYTES) {
                return file + " has more than " + MOST_FILE_BYTES + " bytes";
            }
            lines = new String(bytes, StandardCharsets.UTF_8).split("\\R");
        } catch (IOException e) {
            return file + " cannot be read: " + e;
        }
        String bad = null;
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.charAt(0) == '#') {
                continue;
            }
            if (to.size() == MOST_AGENTS) {
                return file + ": more than " + MOST_AGENTS + " agents";
            }
            try {
                to.add(AgentLine.parse(line));
            } catch (IllegalArgumentException e) {
                bad = file + ", line " + (i + 1) + ": " + e.getMessage();
            }
        }
        return bad;
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MOST_FILE_BYTES + 1);
        }
    }

    @Override
    public long epoch() {
        return state.epoch;
    }

    @Override
    public List<AgentInfo> agents() {
        return state.agents;
    }

    @Override
    public String trouble() {
        return state.trouble;
    }

    /** Ends it; the own file goes, unless a newer agent of that id has it. Idempotent. */
    @Override
    public void close() {
        if (end.getCount() == 0) {
            return;
        }
        end.countDown();
        try {
            thread.join(1_000);
            if (self != null && Files.readString(own()).strip().equals(AgentLine.format(self))) {
                Files.delete(own());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            state = new State(state.epoch, state.agents, own() + " could not be removed: " + e);
        }
    }
}
