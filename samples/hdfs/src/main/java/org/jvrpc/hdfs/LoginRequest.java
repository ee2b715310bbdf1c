package org.jvrpc.hdfs;

import org.jvrpc.api.Nullable;

/**
 * Who calls, as Hadoop's simple authentication has it: the client says so.
 *
 * @param protocol the protocol's name, as {@code RPC.getProtocolName} gives it
 * @param version the protocol's version
 * @param user whom the calls are made for
 * @param realUser who makes them, when that is somebody else
 * @param clientId 16 bytes that, with the number of a call, name it for the retry cache
 * @param server 4 or 16 bytes, the address that the client knows the NameNode by
 * @param port the RPC port that the client knows it by
 */
record LoginRequest(
        String protocol,
        long version,
        String user,
        @Nullable String realUser,
        byte[] clientId,
        byte[] server,
        int port) {
}
