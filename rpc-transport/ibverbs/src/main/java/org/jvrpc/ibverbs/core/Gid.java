package org.jvrpc.ibverbs.core;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** A port's address: 16 bytes; an IPv4 address of RoCEv2 lies in the last four. Source: IBA volume 1, 4.1.1; RoCEv2. */
public record Gid(byte[] bytes) {

    /** Its length. */
    public static final int BYTES = 16;

    /** Checks the length. */
    public Gid {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a GID has 16 bytes, bytes=" + bytes.length);
        }
        bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns true for {@code ::ffff:a.b.c.d}. */
    public boolean isIpv4() {
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[10] == -1 && bytes[11] == -1;
    }

    /** Returns the address that a GID of IPv4 is. */
    public InetAddress ipv4() {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, BYTES));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an IPv4 address", e);
        }
    }

    /** Returns the address that RoCEv2 sends to for this GID; of InfiniBand's own GIDs, one that no host has. */
    public InetAddress host() {
        try {
            return isIpv4() ? ipv4() : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("bytes=" + bytes.length, e); // these are its lengths
        }
    }

    /** Returns true when no address was set. */
    public boolean isZero() {
        return Arrays.equals(bytes, new byte[BYTES]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Gid gid && Arrays.equals(bytes, gid.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        if (isIpv4()) {
            return "::ffff:" + (bytes[12] & 0xff) + "." + (bytes[13] & 0xff) + "." + (bytes[14] & 0xff) + "."
                    + (bytes[15] & 0xff);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BYTES; i += 2) {
            text.append(i == 0 ? "" : ":").append(String.format("%02x%02x", bytes[i], bytes[i + 1]));
        }
        return text.toString();
    }
}
