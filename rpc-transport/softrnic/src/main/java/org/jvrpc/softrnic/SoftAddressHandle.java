package org.jvrpc.softrnic;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.Mlx5AddressHandle;
import org.jvrpc.verbs.VerbsException;

/**
 * The way to a device of this host: its memory, mapped for as long as the handle lives. In an address vector the GID is
 * the device's name, and the LID says which of its own device's handles it is. Any thread.
 */
final class SoftAddressHandle {

    private static final Pattern NAME = Pattern.compile("d-([0-9]+)-([0-9a-f]{1,16})");
    /** Of a link-local address, as the GIDs of cards. */
    private static final long PREFIX = 0xfe80L << 48;
    private static final int HOPS = 64;

    private final SoftProtectionDomain domain;
    private final DatagramRoutes routes;
    private final String name;
    private final AddressSpace arena;
    private final DatagramTable table;
    private final long gidHigh;
    private final long gidLow;
    private final int index;
    private final Mlx5AddressHandle driver;

    SoftAddressHandle(SoftProtectionDomain domain, DatagramRoutes routes, String name, AddressSpace arena, int index) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new VerbsException("create_ah", "endpoint names no device, name=" + name);
        }
        this.domain = domain;
        this.routes = routes;
        this.name = name;
        this.arena = arena;
        this.table = new DatagramTable(arena);
        this.gidHigh = PREFIX | Long.parseLong(parts.group(1)) & 0xffffffffL;
        this.gidLow = Long.parseUnsignedLong(parts.group(2), 16);
        this.index = index;
        long[] vector = new long[AddressVector.BYTES / 8];
        vector[AddressVector.LID / 8] = index;
        vector[AddressVector.GRH / 8] = (long) HOPS << 32 | AddressVector.GRH_PRESENT;
        vector[AddressVector.GID / 8] = gidHigh;
        vector[AddressVector.GID / 8 + 1] = gidLow;
        this.driver = new Mlx5AddressHandle(vector, this::close);
    }

    Mlx5AddressHandle driver() {
        return driver;
    }

    int index() {
        return index;
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    boolean hasGid(long high, long low) {
        return gidHigh == high && gidLow == low;
    }

    /** Looks a QP up; returns null when the device has none of the number, or it makes no sense. */
    DatagramTarget find(int qpn) {
        long address = table.find(qpn);
        try {
            SoftDevice local = SoftDevice.ofName(name);
            return address == 0 ? null
                    : new DatagramTarget(arena, address, local == null ? () -> { } : local::wakeAll);
        } catch (VerbsException | IndexOutOfBoundsException e) {
            return null; // it ends just now
        }
    }

    private void close() {
        routes.remove(this);
        domain.remove(driver);
        arena.close();
    }
}
