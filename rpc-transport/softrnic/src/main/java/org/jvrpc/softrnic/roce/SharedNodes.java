package org.jvrpc.softrnic.roce;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.softrnic.roce.socket.NodeSocket;
import org.jvrpc.verbs.VerbsException;

/**
 * The nodes that devices of the process have in common. Each is open while somebody uses it: listeners, QPs, whoever
 * connects. When nobody does any more, its thread ends it as soon as its peers have answered to disconnects, or have
 * had the time to; then others may have its port. Any thread; nobody waits.
 */
final class SharedNodes {

    /** How long the peers of a node that nobody uses have to answer. */
    static final long QUIET_NS = 100_000_000;

    private static final Map<String, RoceNode> NODES = new HashMap<>();

    private SharedNodes() {
    }

    /** How many use a node, shared or not. Written under the lock of {@link SharedNodes}. */
    static final class Uses {

        private int count;
        /** It ends when nobody uses it. */
        private boolean shared;
        private volatile boolean unused;
        private volatile boolean ended;
        private long unusedNs;

        /** Returns true for one that ends soon. */
        boolean isUnused() {
            return unused;
        }

        boolean isEnded() {
            return ended;
        }
    }

    /**
     * Returns the node that has an address and a port, or opens it; its user leaves it.
     *
     * @param symmetric peers have the same UDP port
     * @throws VerbsException when the address is in use
     */
    static RoceNode use(InetSocketAddress at, boolean symmetric) {
        synchronized (NODES) {
            RoceNode node = NODES.get(NodeSocket.name(at));
            if (node == null) {
                node = RoceNode.open(at, symmetric);
                node.uses().shared = true;
                NODES.put(NodeSocket.name(node.address()), node);
            } else if (node.isSymmetric() != symmetric) {
                throw new VerbsException("open_device", "UDP port at address=" + at + " is in use by this process "
                        + (symmetric ? "without" : "with") + " ?udp=");
            }
            join(node);
            return node;
        }
    }

    /** One more uses a node, and leaves it later. @throws VerbsException when it has ended */
    static void join(RoceNode node) {
        synchronized (NODES) {
            if (node.uses().ended) {
                throw new VerbsException("modify_qp", "the socket is closed, address=" + node.address());
            }
            node.uses().count++;
            node.uses().unused = false;
        }
    }

    /** Ends {@link #use} or {@link #join}. */
    static void leave(RoceNode node) {
        synchronized (NODES) {
            Uses uses = node.uses();
            uses.count--;
            if (uses.count == 0 && uses.shared && !uses.ended) {
                uses.unusedNs = node.nowNs();
                uses.unused = true;
                node.thread().wake();
            }
        }
    }

    /** Ends a node that nobody uses, if it is time. The node's thread. */
    static boolean endUnused(RoceNode node, long nowNs) {
        synchronized (NODES) { // whoever opens it again finds the port free
            Uses uses = node.uses();
            if (!uses.unused || uses.ended
                    || !node.management().isQuiet() && nowNs - uses.unusedNs < QUIET_NS) {
                return false;
            }
            NODES.remove(NodeSocket.name(node.address()), node);
            try {
                node.end();
            } finally {
                uses.ended = true; // behind it: who waits for that finds the port free, too
            }
            return true;
        }
    }

    /** Ends a node that nobody shares. Not its thread. */
    static void end(RoceNode node) {
        synchronized (NODES) {
            node.uses().ended = true;
        }
        node.end();
    }
}
