package org.jvrpc.softrnic.shm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.ChainHost;
import org.jvrpc.softrnic.datagram.DatagramRoutes;
import org.jvrpc.softrnic.datagram.DatagramTable;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.Home;
import org.jvrpc.softrnic.shm.folder.Place;
import org.jvrpc.softrnic.shm.folder.RemoteArena;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device as others on its host find it: by the name of its folder, where its memory and tables are. Knows the other
 * devices of its process, too, whose threads are woken without a socket. Any thread.
 */
public final class ShmNode implements ChainHost {

    private static final Logger LOG = LoggerFactory.getLogger(ShmNode.class);
    /** Those of this process, by name. */
    private static final Map<String, ShmNode> LOCAL = new ConcurrentHashMap<>();

    private volatile Home home;
    private final LongSupplier clock;
    private final Runnable wakeAll;
    private final DatagramRoutes routes = new DatagramRoutes();
    /** Ports by the addresses of their QPs' contexts. */
    private final Map<Long, ShmPort> ports = new ConcurrentHashMap<>();
    private final Map<Long, ChainGroup> chains = new ConcurrentHashMap<>();
    /** What is closed with the device, the youngest first. */
    private final List<AutoCloseable> children = new ArrayList<>();
    private volatile boolean closing;
    /** It stays where it is. */
    private boolean settled;

    private ShmNode(Home home, LongSupplier clock, Runnable wakeAll) {
        this.home = home;
        this.clock = clock;
        this.wakeAll = wakeAll;
    }

    /**
     * Makes a folder for a device, after sweeping away what dead ones left.
     *
     * @param clock monotonic, in nanoseconds
     * @param wakeAll wakes everybody who waits for a CQ of the device
     */
    public static ShmNode open(LongSupplier clock, Runnable wakeAll) {
        Path parent = ShmDirectory.openAndSweep();
        ShmNode node = new ShmNode(Home.make(parent, 0), clock, wakeAll);
        LOCAL.put(node.name(), node);
        return node;
    }

    /**
     * As above, in another folder; its slab 0 has the device's own tables alone, and it does not move when its folder
     * is deleted.
     */
    public static ShmNode open(LongSupplier clock, Runnable wakeAll, Place place) {
        place.prepare();
        ShmNode node = new ShmNode(Home.make(place.parent(), 1, place), clock, wakeAll);
        node.settled = true;
        LOCAL.put(node.name(), node);
        return node;
    }

    /**
     * Moves to a new folder when its own was deleted, as logind does with what is in /dev/shm when a user logs out.
     * Whoever is connected cannot be reached by its name any more: its connection ends, and it connects again.
     */
    public void settleAgain() {
        if (settled || home.exists()) {
            return;
        }
        Home old;
        synchronized (this) {
            old = home;
            if (closing || old.exists()) {
                return;
            }
            LOG.warn("folder of the device was deleted: {}; connections end, another folder is made", old.folder());
            ports.values().forEach(port -> port.qp().error());
            Home fresh = Home.make(ShmDirectory.open(old.folder().getParent()), old.arena().nextSegment());
            LOCAL.put(fresh.name(), this);
            home = fresh;
        }
        old.leave();
        LOCAL.remove(old.name());
        old.shared().disown();
    }

    public String name() {
        return home.name();
    }

    public Path folder() {
        return home.folder();
    }

    public Arena arena() {
        return home.arena();
    }

    public RegionTable regions() {
        return home.regions();
    }

    DatagramTable datagrams() {
        return home.datagrams();
    }

    public DatagramRoutes routes() {
        return routes;
    }

    /** Opens the way of an address handle. @throws VerbsException when there is no device that an endpoint names */
    public Route openRoute(int pd, byte[] endpoint) {
        String name = ShmEndpoint.decode("create_ah", endpoint).device();
        if (!ShmDirectory.isDeviceName(name)) {
            throw new VerbsException("create_ah", "endpoint names no device, name=" + name);
        }
        AddressSpace arena = arenaOf(name);
        try {
            return routes.open(pd, name, arena, () -> wakerOf(name));
        } catch (VerbsException e) {
            arena.close();
            throw e;
        }
    }

    @Override
    public LongSupplier clock() {
        return clock;
    }

    /** Returns where a device of this host is. @throws VerbsException for what is no device's name */
    Path folderOf(String device) {
        if (!ShmDirectory.isDeviceName(device)) {
            throw new VerbsException("modify_qp", "endpoint names no device, name=" + device);
        }
        return folder().resolveSibling(device);
    }

    @Override
    public AddressSpace arenaOf(String device) {
        return new RemoteArena(DeviceFolder.use("modify_qp", folderOf(device)));
    }

    @Override
    public Runnable wakerOf(String device) {
        ShmNode local = LOCAL.get(device);
        return local == null ? null : local.wakeAll;
    }

    /** Returns true for the name of a device of this process. */
    static boolean isLocal(String device) {
        return LOCAL.containsKey(device);
    }

    /** Makes a group known to QPs of this process whose messages run it. */
    public void add(ChainGroup group) {
        chains.put(group.address(), group);
    }

    public void remove(ChainGroup group) {
        chains.remove(group.address());
    }

    /** Returns how many groups of chains there are. */
    public int groups() {
        return chains.size();
    }

    /** Returns a group of chains of a device of this process, or null. */
    static ChainGroup chainsOf(String device, long address) {
        ShmNode local = LOCAL.get(device);
        return local == null ? null : local.chains.get(address);
    }

    public void add(ShmPort port) {
        ports.put(port.qp().address(), port);
    }

    public void remove(ShmPort port) {
        ports.remove(port.qp().address(), port);
    }

    /** Returns the port of a QP of a device of this process whose context lies at an address, or null. */
    static ShmPort portOf(String device, long address) {
        ShmNode local = LOCAL.get(device);
        return local == null ? null : local.ports.get(address);
    }

    /**
     * Has something closed with the device.
     *
     * @throws VerbsException when the device is being closed, and the child with it
     */
    public <C extends AutoCloseable> C keep(C child) {
        if (!tryKeep(child)) {
            close(child);
            throw new VerbsException("device", "device is closed, name=" + name());
        }
        return child;
    }

    /** As {@link #keep}; false, with nothing done, when the device is being closed. */
    synchronized boolean tryKeep(AutoCloseable child) {
        return !closing && children.add(child);
    }

    /** Ends {@link #keep}. */
    public synchronized void forget(AutoCloseable child) {
        children.remove(child);
    }

    /** Returns true once the device ends what its users did not: their threads may still be at work with it. */
    public boolean isClosing() {
        return closing;
    }

    /** The device begins to close: closes what it keeps. Returns false when that was done before. */
    public boolean leave() {
        List<AutoCloseable> kept;
        synchronized (this) {
            if (closing) {
                return false;
            }
            closing = true;
            kept = new ArrayList<>(children);
            Collections.reverse(kept);
        }
        home.leave(); // what is not given back now is in use, perhaps
        for (AutoCloseable child : kept) {
            close(child);
        }
        return true;
    }

    private static void close(AutoCloseable child) {
        try {
            child.close();
        } catch (Exception e) {
            LOG.warn("closing {}: {}", child, e.toString());
        }
    }

    /** The device is closed. */
    public void end() {
        LOCAL.remove(name());
        home.shared().disown();
    }
}
