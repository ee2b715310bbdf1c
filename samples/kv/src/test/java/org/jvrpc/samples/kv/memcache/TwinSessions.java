package org.jvrpc.samples.kv.memcache;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jvrpc.samples.kv.store.FakeClock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.samples.kv.store.StoreTestAccess;
import org.jvrpc.samples.kv.store.TestRegion;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Two stores with the same past, for fuzz targets: one gets an input as a whole, the other in pieces. Both give the
 * same answers, byte for byte, and end or go on alike; no exception leaves a session; after the input a new connection
 * stores and finds an item, and no memory of the budget is lost. Each input finds flushed stores, which are made anew,
 * after a look at all their links, every {@value #LIFE} inputs.
 */
final class TwinSessions implements AutoCloseable {

    private static final int LIFE = 2000;
    private static final long BUDGET = 1L << 20;
    private static final int MAX_INPUT = 1 << 16;
    private static final byte[] FLUSH = "flush_all\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ALIVE = "set alive 1 0 3\r\nyes\r\nget alive\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ANSWER =
            "STORED\r\nVALUE alive 1 3\r\nyes\r\nEND\r\n".getBytes(StandardCharsets.US_ASCII);

    private final StoreSettings settings = StoreSettings.ofMemory(4L << 20);
    private final FakeClock clock = new FakeClock(1_700_000_000);
    private final ByteBuffer in = ByteBuffer.allocateDirect(MAX_INPUT).order(ByteOrder.LITTLE_ENDIAN);
    private final Twin whole = new Twin();
    private final Twin pieces = new Twin();
    private int inputs;

    private final class Twin {

        private final TestRegion region = new TestRegion(settings.regionBytes());
        private final BufferBudget budget = new BufferBudget(BUDGET);
        private final BufferPool pool = new BufferPool(budget);
        private Store store;
        private ServerStatus status;
        private Progress progress;

        Twin() {
            begin();
        }

        void begin() {
            store = Store.create(region.region(), settings, clock);
            status = new ServerStatus(ServerSettings.ofPort(0), clock.seconds());
        }

        /** Gives an input to a new connection, so many bytes at a time; returns its answers. */
        byte[] run(byte[] input, int from, int pieceBytes) {
            ByteArrayOutputStream answers = new ByteArrayOutputStream();
            Session session = new Session(store, status, pool);
            in.clear();
            progress = Progress.NEED_INPUT;
            for (int at = from; at < input.length && progress != Progress.CLOSE;) {
                int some = Math.min(pieceBytes, input.length - at);
                in.put(input, at, some).flip();
                at += some;
                process(session, answers);
                if (progress == Progress.NEED_INPUT && session.needed() > MAX_INPUT) {
                    session.refuseLongInput();
                    process(session, answers);
                }
                in.compact();
            }
            session.out.release();
            FuzzCheck.that(budget.remaining() == BUDGET, "bytes left of the budget: " + budget.remaining());
            return answers.toByteArray();
        }

        private void process(Session session, ByteArrayOutputStream answers) {
            do {
                progress = session.process(in);
                if (!session.out.isEmpty()) {
                    ByteBuffer unsent = session.out.unsent();
                    byte[] bytes = new byte[unsent.remaining()];
                    unsent.get(bytes);
                    answers.write(bytes, 0, bytes.length);
                    session.out.sent();
                }
            } while (progress == Progress.OUTPUT_FULL);
        }
    }

    /** @param from where the input begins in the array */
    void give(byte[] input, int from, int pieceBytes) {
        if (++inputs % LIFE == 0) {
            for (Twin twin : new Twin[] {whole, pieces}) {
                StoreTestAccess.audit(twin.store);
                twin.begin();
            }
        }
        clock.addSeconds(2);
        whole.run(FLUSH, 0, FLUSH.length);
        pieces.run(FLUSH, 0, FLUSH.length);
        byte[] one = whole.run(input, from, input.length);
        byte[] other = pieces.run(input, from, pieceBytes);
        boolean times = text(one).contains("rusage_"); // statistics, with the processor's time
        FuzzCheck.that(whole.progress == pieces.progress && (times || Arrays.equals(one, other)),
                "pieces of bytes=" + pieceBytes + ": " + pieces.progress + " " + text(other) + " and not "
                        + whole.progress + " " + text(one));
        byte[] alive = whole.run(ALIVE, 0, ALIVE.length);
        FuzzCheck.that(Arrays.equals(ANSWER, alive) && Arrays.equals(ANSWER, pieces.run(ALIVE, 0, 1)), text(alive));
    }

    private static String text(byte[] answers) {
        return new String(answers, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        whole.region.close();
        pieces.region.close();
    }
}
