package org.jvrpc.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.json.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a recording, a JSON object a line:
 *
 * <pre>
 * {"jvrpc-recording":1,"address":"tcp://…","services":["…descriptor…"]}
 * {"call":1,"at":1200,"took":8000,"service":"org.acme.Orders","method":"find(long)","arguments":[7],"answer":{…}}
 * {"end":1,"left":0}
 * </pre>
 * Each call is written whole when it has ended, by one write to the file, so that a recorder that is killed leaves all
 * calls that ended before, and at most one cut line; without a last line the file is known to be cut. Calls that do not
 * fit are left out and counted. Only the user may read the file. Many threads.
 */
public final class Recorder implements AutoCloseable {

    /** The version of the file's format. */
    public static final int VERSION = 1;
    /** How long a file is at most, in bytes, unless something else is said. */
    public static final long MOST_BYTES = 64L << 20;
    /** How long a call may be, in bytes of its line. */
    static final int MOST_CALL_BYTES = 4 << 20;
    static final String MARK = "jvrpc-recording";

    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
    private static final FileAttribute<Set<java.nio.file.attribute.PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    /** Room for the last line. */
    private static final int END_BYTES = 64;

    private final Path path;
    private final FileChannel file;
    private final long mostBytes;
    private final long startNs = System.nanoTime();
    private int begun;
    private long written;
    private long calls;
    private long left;
    private boolean closed;

    private Recorder(Path path, FileChannel file, long mostBytes) {
        this.path = path;
        this.file = file;
        this.mostBytes = mostBytes;
    }

    /**
     * Makes a file and begins.
     *
     * @param address where the server is, for people
     * @param services those whose calls are recorded
     * @param mostBytes how long the file may become, 4 KiB or more
     * @throws java.nio.file.FileAlreadyExistsException when there is one: nothing is written over
     * @throws IOException when it cannot be written
     */
    public static Recorder create(Path path, String address, List<DynamicService> services, long mostBytes)
            throws IOException {
        if (mostBytes < 4096) {
            throw new IllegalArgumentException("a recording takes 4096 bytes or more, mostBytes=" + mostBytes);
        }
        Map<String, Object> head = new LinkedHashMap<>();
        head.put(MARK, VERSION);
        head.put("address", address);
        head.put("services", services.stream().map(each -> (Object) SchemaJson.write(each.schema())).toList());
        Recorder recorder = new Recorder(path, FileChannel.open(path, NEW, PRIVATE), mostBytes);
        recorder.append(line(head));
        return recorder;
    }

    /** Begins a call: returns its number. */
    synchronized int begin() {
        return ++begun;
    }

    long nowNs() {
        return System.nanoTime() - startNs;
    }

    /** Writes a call; one that does not fit, or cannot be written, is counted. */
    synchronized void write(RecordedCall call) {
        if (closed) {
            return;
        }
        byte[] line = line(call.asJson());
        if (line.length > MOST_CALL_BYTES || written + line.length > mostBytes - END_BYTES) {
            leaveOut();
            return;
        }
        try {
            append(line);
            calls++;
        } catch (IOException e) {
            LOG.warn("a call is left out of {}: {}", path, e.toString());
            leaveOut();
        }
    }

    /** Counts a call that is not written. */
    synchronized void leaveOut() {
        if (left++ == 0) {
            LOG.warn("{} takes no more than {} bytes, and {} a call: what does not fit is left out", path, mostBytes,
                    MOST_CALL_BYTES);
        }
    }

    private void append(byte[] line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
        written += line.length;
    }

    /** Lone surrogates, which UTF-8 cannot say, and their like stand as escapes. */
    private static byte[] line(Map<String, Object> members) {
        String json = Json.write(members, false);
        if (json.chars().anyMatch(c -> Character.isSurrogate((char) c))) {
            StringBuilder escaped = new StringBuilder();
            json.chars().forEach(c -> {
                if (Character.isSurrogate((char) c)) {
                    escaped.append(String.format("\\u%04x", c));
                } else {
                    escaped.append((char) c);
                }
            });
            json = escaped.toString();
        }
        return (json + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Returns how many calls were written. */
    public synchronized long calls() {
        return calls;
    }

    /** Returns how many calls were left out as they did not fit. */
    public synchronized long left() {
        return left;
    }

    /** Returns the file. */
    public Path path() {
        return path;
    }

    /** Ends the recording: calls that have not ended are not in it. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        Map<String, Object> end = new LinkedHashMap<>();
        end.put("end", calls);
        end.put("left", left);
        try (file) {
            append(line(end));
        } catch (IOException e) {
            throw new UncheckedIOException(path + " has no end: " + e.getMessage(), e);
        }
    }
}
