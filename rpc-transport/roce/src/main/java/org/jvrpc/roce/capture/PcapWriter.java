package org.jvrpc.roce.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes a capture of Ethernet frames with times in nanoseconds. One thread.
 *
 * <p>Source: draft-ietf-opsawg-pcap.
 */
public final class PcapWriter {

    /** First word of a file whose times have nanoseconds. */
    static final int MAGIC_NS = 0xa1b23c4d;
    /** First word of a file whose times have microseconds. */
    static final int MAGIC_US = 0xa1b2c3d4;
    static final int FILE_HEADER_BYTES = 24;
    static final int HEADER_BYTES = 16;
    static final int ETHERNET = 1;
    /** Longer frames are refused by those who read. */
    static final int MOST_BYTES = 1 << 18;
    static final long NS_PER_S = 1_000_000_000;

    private static final int VERSION = 4 << 16 | 2; // 2.4, minor first as shorts lie

    private final OutputStream out;
    private final ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Writes the header of a file. */
    public PcapWriter(OutputStream out) throws IOException {
        this.out = out;
        header.putInt(MAGIC_NS).putInt(VERSION).putLong(0).putInt(MOST_BYTES).putInt(ETHERNET);
        out.write(header.array());
    }

    /**
     * Writes a frame from its position to its limit, which it leaves as they are.
     *
     * @param frame in an array
     * @param timeNs since 1970, or since the start of a simulation; from 0 on
     * @throws IllegalArgumentException for a longer frame than readers take, or a negative time
     */
    public void write(long timeNs, ByteBuffer frame) throws IOException {
        write(timeNs, frame, frame.remaining());
    }

    /**
     * As {@link #write(long, ByteBuffer)}, for a frame that was cut off.
     *
     * @param frame in an array
     * @param whole bytes that it had on the wire, at least those that are there
     */
    public void write(long timeNs, ByteBuffer frame, int whole) throws IOException {
        int length = frame.remaining();
        if (length > MOST_BYTES || whole < length || timeNs < 0) {
            throw new IllegalArgumentException("frame length=" + length + " limit=" + MOST_BYTES + " whole=" + whole
                    + " timeNs=" + timeNs);
        }
        header.clear();
        header.putInt((int) (timeNs / NS_PER_S)).putInt((int) (timeNs % NS_PER_S)).putInt(length).putInt(whole);
        out.write(header.array(), 0, header.position());
        out.write(frame.array(), frame.arrayOffset() + frame.position(), length);
    }
}
