package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/** A GID: an IPv6 address, or an IPv4 one mapped into it ({@code ::ffff:a.b.c.d}). */
public record Gid(long high, long low) {

    private static final long MAPPED = 0xffff_0000_0000L;
    private static final long IPV4 = 0xffff_ffffL;

    /** Returns the GID of an address of 4 or 16 bytes. */
    public static Gid of(byte[] address) {
        ByteBuffer bytes = ByteBuffer.wrap(address);
        return switch (address.length) {
            case 4 -> ofIpv4(bytes.getInt(0));
            case 16 -> read(bytes, 0);
            default -> throw new IllegalArgumentException("addressLength=" + address.length);
        };
    }

    static Gid ofIpv4(int address) {
        return new Gid(0, MAPPED | address & IPV4);
    }

    static Gid read(ByteBuffer mad, int at) {
        return new Gid(mad.getLong(at), mad.getLong(at + 8));
    }

    void write(ByteBuffer mad, int at) {
        mad.putLong(at, high).putLong(at + 8, low);
    }

    /** Returns the address, in 4 or 16 bytes. */
    public byte[] address() {
        return isIpv4() ? ByteBuffer.allocate(4).putInt((int) low).array()
                : ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }

    /** Returns whether this is an IPv4 address. */
    public boolean isIpv4() {
        return high == 0 && (low & ~IPV4) == MAPPED;
    }
}
