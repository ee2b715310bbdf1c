package org.jvrpc.softrnic.chain;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.rc.Responder;

/** What the queues of a group are connected to. With the claim, but for what says so. */
final class ChainPeers {

    private final ChainHost host;
    private final AddressSpace own;
    private final String device;
    private final Map<String, AddressSpace> others = new HashMap<>();
    private final Map<Integer, RemoteVerbs> remotes = new ConcurrentHashMap<>();
    private final Map<Integer, Responder> found = new HashMap<>();
    private volatile IntUnaryOperator keyOf;

    /** @param own the memory of the group's device */
    ChainPeers(ChainHost host, AddressSpace own, String device) {
        this.host = host;
        this.own = own;
        this.device = device;
    }

    /** Returns the memory of the device of a name. */
    AddressSpace space(String name) {
        return name.equals(device) ? own : others.computeIfAbsent(name, host::arenaOf);
    }

    /** Has WQEs know keys of memory by other numbers. Any thread. @param newKeyOf tells the key of such a number */
    void alias(IntUnaryOperator newKeyOf) {
        keyOf = newKeyOf;
    }

    /** Returns what tells the keys of a device that WQEs name; null where they name keys. */
    IntUnaryOperator keyOf(String name) {
        return name.equals(device) ? keyOf : null;
    }

    /** Connects the queue of a QP by packets. Any thread. */
    void add(int qpn, RemoteVerbs verbs) {
        remotes.put(qpn, verbs);
    }

    /** Any thread. */
    void remove(int qpn) {
        remotes.remove(qpn);
    }

    /** Returns what executes the WQEs of a queue that is connected by packets; else null. */
    RemoteVerbs remote(int qpn) {
        return remotes.get(qpn);
    }

    /** Connects the queue of a QP to a peer that the caller has found; null: to none any more. */
    void connect(int qpn, Responder peer) {
        if (peer == null) {
            found.remove(qpn);
        } else {
            found.put(qpn, peer);
        }
    }

    /** Returns the peer that a queue was connected to by who found it; else null. */
    Responder found(int qpn) {
        return found.get(qpn);
    }

    /** Lets go of the memory of other devices. */
    void close() {
        others.values().forEach(AddressSpace::close);
        others.clear();
    }
}
