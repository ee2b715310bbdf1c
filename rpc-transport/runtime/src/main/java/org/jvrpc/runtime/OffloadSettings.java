package org.jvrpc.runtime;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.table.MethodChunk;
import org.jvrpc.offload.table.MethodTable;
import org.jvrpc.verbs.MemoryRegion;

/** How a server offers answers of a method to programs. A builder's state: one thread, and copied when it is used. */
public final class OffloadSettings {

    /** The shortest {@link #answerBytes(int)}. */
    public static final int MIN_ANSWER_BYTES = 64;
    /** The longest. */
    public static final int MAX_ANSWER_BYTES = 1 << 20;

    private int capacity = 1 << 14;
    private int answerBytes = 512;
    private long wqesPerSecond = Long.MAX_VALUE;
    private int burst = Integer.MAX_VALUE;
    private Offer.Rearm rearm = Offer.Rearm.RECYCLED;
    private @Nullable MemoryRegion memory;
    private long offset;
    private @Nullable String hostAddress;
    private @Nullable String hostName;
    private @Nullable Supplier<String> hostNames;

    /** Returns a copy. */
    public OffloadSettings copy() {
        OffloadSettings copy = new OffloadSettings();
        copy.capacity = capacity;
        copy.answerBytes = answerBytes;
        copy.wqesPerSecond = wqesPerSecond;
        copy.burst = burst;
        copy.rearm = rearm;
        copy.memory = memory;
        copy.offset = offset;
        copy.hostAddress = hostAddress;
        copy.hostName = hostName;
        copy.hostNames = hostNames;
        return copy;
    }

    private static void check(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(what + " must be " + low + " to " + high + ", " + what + "=" + value);
        }
    }

    /** Sets how many answers may be published at once, 1 to 16 million, default 16384. */
    public OffloadSettings capacity(int answers) {
        check("capacity", answers, 1, 1 << 24);
        capacity = answers;
        return this;
    }

    /**
     * Sets the longest arguments and answer together, as they travel and with {@value MethodChunk#HEADER} bytes more,
     * 64 to 1 MiB, default 512. So many bytes are taken for each answer of the capacity.
     */
    public OffloadSettings answerBytes(int bytes) {
        check("answerBytes", bytes, MIN_ANSWER_BYTES, MAX_ANSWER_BYTES);
        answerBytes = bytes;
        return this;
    }

    /**
     * Limits how many WQEs the program of each connected client executes; a get takes 16. The default is no
     * limit. Requests beyond that become ordinary calls.
     *
     * @param wqesEachSecond at least 1
     * @param atOnce after an idle time, at least 1
     */
    public OffloadSettings rate(long wqesEachSecond, int atOnce) {
        check("wqesPerSecond", wqesEachSecond, 1, Long.MAX_VALUE);
        check("burst", atOnce, 1, Integer.MAX_VALUE);
        wqesPerSecond = wqesEachSecond;
        burst = atOnce;
        return this;
    }

    /** Sets how programs get ready for the next request; the default needs no CPU of the host. */
    public OffloadSettings rearm(Offer.Rearm how) {
        rearm = Objects.requireNonNull(how, "rearm");
        return this;
    }

    /**
     * Has the answers lie in the memory of another process, which hosts the program and outlives this one: what a
     * server before this one has published there stays. That host is to offer a hash get over the region, with the
     * header at {@link OffloadedMethod#header()}; rates and re-arming are its business, and so is who may connect:
     * whoever knows the name may, unless the host asks.
     *
     * @param address where clients find the host
     * @param name of the lookup there
     * @param region that only this process writes
     * @param from offset of the first of {@link #bytes()} in the region, a multiple of 64
     */
    public OffloadSettings hosted(String address, String name, MemoryRegion region, long from) {
        hostAddress = Objects.requireNonNull(address, "address");
        hostName = Objects.requireNonNull(name, "name");
        memory = Objects.requireNonNull(region, "region");
        offset = from;
        hostNames = null;
        return this;
    }

    /**
     * As {@link #hosted(String, String, MemoryRegion, long)}, of a host that asks nobody, but for those alone who may
     * have the method's program: the server tells the name to nobody else, and has another one made when somebody who
     * was told may not have it any more.
     *
     * @param names has the host offer the lookup by a name that nobody can guess, ends the offer before, cuts off who
     *     uses that, and returns the name; called when the method is offered, and then by a thread of the server's, not
     *     often: see {@code HullClient.offerInSecret}
     */
    public OffloadSettings hostedInSecret(String address, Supplier<String> names, MemoryRegion region, long from) {
        hosted(address, "", region, from);
        hostNames = Objects.requireNonNull(names, "names");
        return this;
    }

    /** Returns who makes names of the lookup at another host, or null. */
    public @Nullable Supplier<String> hostNames() {
        return hostNames;
    }

    /** Returns how many bytes of memory these settings take. @throws IllegalArgumentException when more than 1 GiB */
    public long bytes() {
        return MethodTable.bytes(capacity, answerBytes);
    }

    /** Returns how many answers may be published at once. */
    public int capacity() {
        return capacity;
    }

    /** Returns the longest arguments and answer together, in bytes. */
    public int answerBytes() {
        return answerBytes;
    }

    /** Returns how many WQEs a second the program of a client executes at most. */
    public long wqesPerSecond() {
        return wqesPerSecond;
    }

    /** Returns how many WQEs the program of a client executes at once after an idle time. */
    public int burst() {
        return burst;
    }

    /** Returns how programs get ready for the next request. */
    public Offer.Rearm rearm() {
        return rearm;
    }

    /** Returns the region of another host, or null. */
    public @Nullable MemoryRegion memory() {
        return memory;
    }

    /** Returns where in that region the answers begin, in bytes. */
    public long offset() {
        return offset;
    }

    /** Returns the address of another host, or null for the server's own. */
    public @Nullable String hostAddress() {
        return hostAddress;
    }

    /** Returns the name of the lookup at another host, or null. */
    public @Nullable String hostName() {
        return hostName;
    }
}
