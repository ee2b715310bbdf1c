package org.jvrpc.ibverbs.interop.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The talk of perftest's programs over TCP: in each exchange the client speaks first. Source: perftest 4.5-0.17, which
 * calls itself 6.06.
 */
public final class Perftest {

    private static final String VERSION = "6.06";
    private static final int VERSION_BYTES = 16;
    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;
    /** Code of the path MTU of 4096 bytes: the peer's own is less or equal, and the lesser one counts. */
    private static final int MTU = 5;
    private static final int REPORT_NUMBERS = 5;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Talk line;
    private final boolean client;
    /** Over a QP keys are numbers, and nothing follows the last. */
    private final boolean overQp;
    private int mtu;

    private Perftest(Talk line, boolean client) {
        this.line = line;
        this.client = client;
        this.overQp = !(line instanceof Line);
    }

    /** Greets: version, page size, cache line, MTU. */
    public static Perftest greet(Talk line, boolean client) {
        Perftest talk = new Perftest(line, client);
        byte[] version = Arrays.copyOf(VERSION.getBytes(StandardCharsets.US_ASCII), VERSION_BYTES);
        String theirs = new String(talk.exchange(version), StandardCharsets.US_ASCII).replace("\0", "");
        assertEquals(VERSION, theirs, "these peers speak as this version of perftest does");
        talk.exchange(ByteBuffer.allocate(4).putInt(PAGE).array());
        talk.exchange(ByteBuffer.allocate(4).putInt(CACHE_LINE).array());
        byte[] mtu = talk.exchange(new byte[] {'0' + MTU, 0});
        talk.mtu = Math.min(MTU, mtu[0] - '0');
        return talk;
    }

    /** Returns the code of the path MTU, 1 to 5. */
    public int mtu() {
        return mtu;
    }

    private byte[] exchange(byte[] mine) {
        if (client) {
            line.write(mine);
        }
        byte[] theirs = line.read(mine.length);
        if (!client) {
            line.write(mine);
        }
        return theirs;
    }

    /** Exchanges keys, so many times: all but the first are barriers. */
    public PerftestKey keys(PerftestKey mine, int times) {
        PerftestKey theirs = null;
        for (int i = 0; i < times; i++) {
            theirs = overQp ? PerftestKey.decodeNumbers(exchange(mine.encodeNumbers()))
                    : PerftestKey.decode(exchange(mine.encode()));
        }
        return theirs;
    }

    /** Exchanges a report, five numbers: a server of a bandwidth test prints the client's. */
    public void reports() {
        for (int i = 0; i < REPORT_NUMBERS; i++) {
            exchange(new byte[Long.BYTES]);
        }
    }

    /** Waits until the peer is done, too. */
    public void close(PerftestKey mine) {
        keys(mine, 1);
        if (!overQp) {
            line.write(DONE);
        }
    }
}
