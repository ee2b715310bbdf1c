package org.jvrpc.router.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jvrpc.router.Audit;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.TenantId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: a line of JSON an event, in a file of mode 0600 that is renamed to {@code NAME.1} (up to 4) when it
 * has grown to a length. Up to 1,000 events a second are kept, of each tenant up to 100 so that none drowns another's;
 * of others there is a line that says how many they were. Written by a thread of its own. Any thread.
 */
public final class AuditLog implements Audit, AutoCloseable {

    /** The most events of a second. */
    static final int MOST_A_SECOND = 1_000;
    /** The most events of one tenant in a second. */
    static final int MOST_OF_ONE = 100;
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final long ROTATE_BYTES = 64L << 20;
    private static final int KEPT = 4;
    private static final int WAITING = 4 * MOST_A_SECOND;
    private static final long SECOND_MS = 1_000;
    private static final long CLOSE_MS = 2_000;
    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");
    private static final Set<OpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);

    private record Event(long atMs, TenantId tenant, String what, Refusal refusal, String detail) { }

    private static final Event END = new Event(0, null, "", null, "");

    private final Path file;
    private final long rotateBytes;
    private final LongSupplier wallMs;
    private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final Map<TenantId, Integer> ofThisSecond = new HashMap<>();
    private final Thread thread;
    private long second;
    private int inThisSecond;
    private FileChannel channel;
    private long toldSecond;
    private volatile boolean closed;

    /** Opens a log. @throws IOException when it cannot be written, or others may read it */
    public AuditLog(Path file) throws IOException {
        this(file, ROTATE_BYTES, System::currentTimeMillis);
    }

    AuditLog(Path file, long rotateBytes, LongSupplier wallMs) throws IOException {
        this.file = file;
        this.rotateBytes = rotateBytes;
        this.wallMs = wallMs;
        channel = open(file);
        thread = new Thread(this::run, "jvrpc-router-audit");
        thread.setDaemon(true);
        thread.start();
    }

    private static FileChannel open(Path file) throws IOException {
        FileChannel opened = FileChannel.open(file, APPEND, PosixFilePermissions.asFileAttribute(MODE));
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        if (!MODE.containsAll(mode)) {
            opened.close();
            throw new IOException("audit log=" + file + " must have mode 0600, has "
                    + PosixFilePermissions.toString(mode));
        }
        return opened;
    }

    @Override
    public void write(TenantId tenant, String what, Refusal refusal, String detail) {
        Event event = new Event(wallMs.getAsLong(), tenant, what, refusal, detail);
        if (closed || !counts(event) || !events.offer(event)) {
            lost.incrementAndGet();
            dropped.incrementAndGet();
        }
    }

    /** Tells whether there is room for an event in its second. */
    private synchronized boolean counts(Event event) {
        long now = event.atMs() / SECOND_MS;
        if (now != second) {
            second = now;
            inThisSecond = 0;
            ofThisSecond.clear();
        }
        int ofOne = event.tenant() == null ? 0 : ofThisSecond.merge(event.tenant(), 1, Integer::sum);
        return ofOne <= MOST_OF_ONE && inThisSecond++ < MOST_A_SECOND;
    }

    /** Returns how many events were not kept. */
    public long dropped() {
        return dropped.get();
    }

    private void run() {
        try {
            for (Event event = null; event != END;) {
                event = events.poll(SECOND_MS, TimeUnit.MILLISECONDS);
                if (lost.get() > 0 && (event == END || wallMs.getAsLong() / SECOND_MS != toldSecond)) {
                    tellLost();
                }
                if (event != null && event != END) {
                    append(event);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the audit log's thread is interrupted: it ends");
        } finally {
            close(channel);
        }
    }

    /** Once a second, and at the end. */
    private void tellLost() {
        toldSecond = wallMs.getAsLong() / SECOND_MS;
        long count = lost.getAndSet(0);
        append(new Event(wallMs.getAsLong(), null, "dropped", null, "events=" + count));
    }

    private void append(Event event) {
        try {
            if (channel == null) {
                channel = open(file);
            }
            if (channel.size() >= rotateBytes) {
                rotate();
            }
            ByteBuffer line = ByteBuffer.wrap(line(event).getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
        } catch (IOException e) {
            LOG.error("an event is not in the audit log {}: {}", file, e.toString());
            lost.incrementAndGet();
            dropped.incrementAndGet();
            close(channel);
            channel = null;
        }
    }

    private void rotate() throws IOException {
        channel.close();
        for (int i = KEPT - 1; i >= 0; i--) {
            Path from = i == 0 ? file : numbered(i);
            if (Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(from, numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        channel = open(file);
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private static String line(Event event) {
        return "{\"at\":\"" + Instant.ofEpochMilli(event.atMs()) + '"'
                + (event.tenant() == null ? "" : ",\"tenant\":" + Redaction.json(event.tenant().name()))
                + ",\"what\":" + Redaction.json(event.what())
                + (event.refusal() == null ? "" : ",\"refusal\":\"" + event.refusal() + '"')
                + ",\"detail\":" + Redaction.json(event.detail()) + "}\n";
    }

    private static void close(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.warn("closing the audit log: {}", e.toString());
        }
    }

    /** Writes what waits, for up to two seconds. */
    @Override
    public void close() {
        closed = true;
        try {
            if (!events.offer(END, CLOSE_MS, TimeUnit.MILLISECONDS)) {
                thread.interrupt();
            }
            thread.join(CLOSE_MS);
            thread.interrupt();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
