package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import org.jvrpc.roce.wire.Icrc;

/** ICRCs of packets one way between a device and its peers; of many peers it forgets some. One thread at a time. */
final class PeerIcrcs {

    private static final int COUNT = 16;

    private final byte[] own;
    private final boolean inbound;
    private final Peer[] peers = new Peer[COUNT];

    /** A peer. @param bytes of its address */
    record Peer(InetAddress address, byte[] bytes, Icrc icrc) {
    }

    /** @param inbound true for packets from peers, false for those to peers */
    PeerIcrcs(InetAddress own, boolean inbound) {
        this.own = own.getAddress();
        this.inbound = inbound;
    }

    /** Returns the address of the device. */
    byte[] own() {
        return own;
    }

    /** Returns the peer at an address; null for one of another family. Allocates for new ones only. */
    Peer find(InetAddress address) {
        int hash = address.hashCode();
        int place = (hash ^ hash >>> 16 ^ hash >>> 8) & COUNT - 1;
        Peer known = peers[place];
        if (known == null || !known.address.equals(address)) {
            byte[] bytes = address.getAddress();
            if (bytes.length != own.length) {
                return null;
            }
            known = new Peer(address, bytes, inbound ? new Icrc(bytes, own) : new Icrc(own, bytes));
            peers[place] = known;
        }
        return known;
    }
}
