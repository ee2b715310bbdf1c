package org.jvrpc.roce.ud;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.IpHeader;

/**
 * What lies before a datagram in its receive: room for a global route header, which of RoCEv2 has the IP header of the
 * packet. That of IPv4 has the last 20 bytes, behind zeros: who reads it tells the two apart by its checksum, as
 * libibverbs does. Source: IBA volume 1, annex A17.4.5.2; rxe_resp.c, build_rdma_network_hdr.
 */
public final class Grh {

    /** Bytes before the datagram. */
    public static final int BYTES = 40;

    private Grh() {
    }

    /**
     * Writes them. Of what a UDP socket does not tell, the traffic class is 0, and hops are as Linux sends them.
     *
     * @param source of 4 or 16 bytes, as destination
     * @param udpBytes length of the UDP datagram, its header included
     * @param identification of IPv4
     */
    public static void write(ByteBuffer to, int at, byte[] source, byte[] destination, int udpBytes,
            int identification) {
        int ip = at + BYTES - IpHeader.bytes(source);
        for (int i = at; i < ip; i++) {
            to.put(i, (byte) 0);
        }
        IpHeader.write(to, ip, source, destination, udpBytes, identification, 0);
    }
}
