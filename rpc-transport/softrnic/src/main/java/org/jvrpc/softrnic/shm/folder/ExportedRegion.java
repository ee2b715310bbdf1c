package org.jvrpc.softrnic.shm.folder;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.VerbsException;

/**
 * What tells another process where a region lies. Big-endian.
 *
 * <pre>
 *  0 magic:32 | 4 version:32 | 8 address:64 | 16 length:64 | 24 access:32 | 28 bytes of the name:32
 * 32 name of the device, ASCII
 * </pre>
 */
public record ExportedRegion(String device, long address, long length, int access) {

    static final int MAGIC = 0x4a4d5258;
    static final int VERSION = 1;
    private static final int HEADER = 32;
    private static final int MAX_NAME = 64;

    public byte[] encode() {
        byte[] name = device.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(HEADER + name.length).putInt(MAGIC).putInt(VERSION).putLong(address).putLong(length)
                .putInt(access).putInt(name.length).put(name).array();
    }

    /** Reads what {@link #encode} wrote. @throws VerbsException for anything else */
    public static ExportedRegion decode(byte[] bytes) {
        if (bytes.length < HEADER || bytes.length > HEADER + MAX_NAME) {
            throw new VerbsException("attach", "not an exported region: bytes=" + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int magic = in.getInt();
        int version = in.getInt();
        if (magic != MAGIC) {
            throw new VerbsException("attach", "not an exported region: magic=0x" + Integer.toHexString(magic));
        }
        if (version != VERSION) {
            throw new VerbsException("attach", "the region was exported by version=" + version
                    + ", this side knows version=" + VERSION);
        }
        ExportedRegion region = new ExportedRegion(
                new String(bytes, HEADER, bytes.length - HEADER, StandardCharsets.US_ASCII),
                in.getLong(), in.getLong(), in.getInt());
        region.check(in.getInt(), bytes.length - HEADER);
        return region;
    }

    private void check(int nameBytes, int bytes) {
        if (nameBytes != bytes || !ShmDirectory.isDeviceName(device)) {
            throw new VerbsException("attach", "exported region names no device: name="
                    + device.replaceAll("[^0-9A-Za-z-]", "?") + " its bytes=" + nameBytes);
        }
        try {
            Access.check(access);
        } catch (IllegalArgumentException e) {
            throw new VerbsException("attach", "exported region has no such rights: " + e.getMessage(), e);
        }
        long offset = address - Slab.baseOf(Slab.segmentOf(address));
        if (address <= 0 || Slab.segmentOf(address) < 0 || length < 1
                || length > (1L << Slab.SEGMENT_SHIFT) - offset) {
            throw new VerbsException("attach", "exported region cannot lie at address=0x" + Long.toHexString(address)
                    + " length=" + length);
        }
    }
}
