package org.jvrpc.roce.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a capture of Ethernet frames, of either byte order, with times in micro- or nanoseconds. Files of the newer
 * kind (pcapng) are refused. One thread.
 *
 * <p>Source: draft-ietf-opsawg-pcap.
 */
public final class PcapReader {

    private static final int NS_PER_US = 1000;

    private final ByteBuffer file;
    private final int nsPerUnit;
    private ByteBuffer frame;
    private long timeNs;

    /**
     * @param file from its position to its limit; its content stays as it is
     * @throws IllegalArgumentException when it is no capture of Ethernet frames
     */
    public PcapReader(ByteBuffer file) {
        this.file = file.slice();
        if (this.file.remaining() < PcapWriter.FILE_HEADER_BYTES) {
            throw new IllegalArgumentException("no capture: bytes=" + this.file.remaining());
        }
        int magic = this.file.getInt(0);
        boolean little = magic != PcapWriter.MAGIC_US && magic != PcapWriter.MAGIC_NS;
        this.file.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        magic = this.file.getInt(0);
        if (magic != PcapWriter.MAGIC_US && magic != PcapWriter.MAGIC_NS) {
            throw new IllegalArgumentException("no capture (pcap): magic=0x" + Integer.toHexString(magic));
        }
        nsPerUnit = magic == PcapWriter.MAGIC_US ? NS_PER_US : 1;
        this.file.position(PcapWriter.FILE_HEADER_BYTES);
        int link = this.file.getInt(PcapWriter.FILE_HEADER_BYTES - Integer.BYTES) & 0xffff;
        if (link != PcapWriter.ETHERNET) {
            throw new IllegalArgumentException("no capture of Ethernet frames (1): link type=" + link);
        }
    }

    /**
     * Goes on to the next frame; false at the end.
     *
     * @throws IllegalArgumentException when the file is cut off or damaged here
     */
    public boolean next() {
        if (!file.hasRemaining()) {
            return false;
        }
        int at = file.position();
        int length = file.remaining() < PcapWriter.HEADER_BYTES ? -1 : file.getInt(at + 8);
        if (length < 0 || length > file.remaining() - PcapWriter.HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "capture ends within a frame: offset=" + at + " length=" + length + " left=" + file.remaining());
        }
        timeNs = (file.getInt(at) & 0xffffffffL) * PcapWriter.NS_PER_S
                + (file.getInt(at + 4) & 0xffffffffL) * nsPerUnit;
        frame = file.slice(at + PcapWriter.HEADER_BYTES, length);
        file.position(at + PcapWriter.HEADER_BYTES + length);
        return true;
    }

    /** Returns the frame, big-endian, from 0 on. */
    public ByteBuffer frame() {
        return frame;
    }

    /** Returns when it was captured. */
    public long timeNs() {
        return timeNs;
    }
}
