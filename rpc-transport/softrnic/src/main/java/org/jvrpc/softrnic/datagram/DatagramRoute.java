package org.jvrpc.softrnic.datagram;

import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.verbs.VerbsException;

/**
 * The way of one address handle to a device of this host: its memory, mapped for as long as the handle lives. Any
 * thread.
 */
public final class DatagramRoute implements Route {

    private static final Pattern NAME = Pattern.compile("d-([0-9]{1,18})-([0-9a-f]{1,16})");
    /** Of a link-local address, as the GIDs of cards. */
    private static final long PREFIX = 0xfe80L << 48;
    private static final Runnable NOBODY = () -> { };

    private final DatagramRoutes routes;
    private final int pd;
    private final AddressSpace arena;
    private final Supplier<Runnable> waker;
    private final DatagramTable table;
    private final long gidHigh;
    private final long gidLow;
    private final int index;

    /**
     * @param routes that it is removed from
     * @param pd number of the handle's protection domain
     * @param name of the device
     * @param waker says what wakes the device's process when it is this one; else it says null
     */
    DatagramRoute(DatagramRoutes routes, int pd, String name, AddressSpace arena, Supplier<Runnable> waker, int index) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new VerbsException("create_ah", "endpoint names no device, name=" + name);
        }
        this.routes = routes;
        this.pd = pd;
        this.arena = arena;
        this.waker = waker;
        this.table = new DatagramTable(arena);
        this.gidHigh = PREFIX | Long.parseLong(parts.group(1)) & 0xffffffffL;
        this.gidLow = Long.parseUnsignedLong(parts.group(2), 16);
        this.index = index;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public int pd() {
        return pd;
    }

    /** It is made of the device's name. */
    @Override
    public long gidHigh() {
        return gidHigh;
    }

    @Override
    public long gidLow() {
        return gidLow;
    }

    /** Looks a QP up; returns null when the device has none of the number, or it makes no sense. */
    DatagramTarget find(int qpn) {
        long address = table.find(qpn);
        try {
            Runnable wake = waker.get();
            return address == 0 ? null : new DatagramTarget(arena, address, wake == null ? NOBODY : wake);
        } catch (VerbsException | IndexOutOfBoundsException e) {
            return null; // it ends just now
        }
    }

    @Override
    public void close() {
        routes.remove(this);
        arena.close();
    }
}
