package org.apache.zookeeper;

import java.util.Queue;
import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.ZooDefs.OpCode;

/** Kinds of packets that a client sends. */
final class Packets {

    private Packets() {
    }

    /** Returns true for what is numbered and waits for its answer in order. */
    static boolean isRequest(Packet p) {
        return p.requestHeader != null
                && p.requestHeader.getType() != OpCode.ping
                && p.requestHeader.getType() != OpCode.auth;
    }

    static boolean isClose(Packet p) {
        return p.requestHeader != null && p.requestHeader.getType() == OpCode.closeSession;
    }

    /** Returns the request to connect among packets, or null. */
    static Packet connectRequest(Queue<Packet> packets) {
        for (Packet p : packets) {
            if (p.requestHeader == null) {
                return p;
            }
        }
        return null;
    }
}
