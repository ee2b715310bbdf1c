package org.jvrpc.softrnic.router;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jvrpc.verbs.VerbsException;

/**
 * What a peer must know to reach a QP. Little-endian.
 *
 * <pre>
 * 0 magic:32 | 4 device:32 | 8 qp:32 | 12 bytes of the address:32 | 16 incarnation of the router:64 | 24 address:128
 * </pre>
 *
 * @param address virtual address of the QP's tenant
 * @param device number of its device at the router
 * @param qp its number
 * @param incarnation of the router
 */
record RouterEndpoint(String address, int device, int qp, long incarnation) {

    private static final int BYTES = 40;
    private static final int MAGIC = 0x31515652;
    private static final int ADDRESS = 24;

    byte[] encode() {
        byte[] number = RouterAddress.inet(address, address).getAddress();
        return ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC).putInt(device).putInt(qp)
                .putInt(number.length).putLong(incarnation).put(number).array();
    }

    /** @throws VerbsException when the bytes are no such endpoint */
    static RouterEndpoint decode(String operation, byte[] endpoint) {
        if (endpoint.length != BYTES) {
            throw new VerbsException(operation, "endpoint is of another kind: bytes=" + endpoint.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(endpoint).order(ByteOrder.LITTLE_ENDIAN);
        int length = bytes.getInt(12);
        if (bytes.getInt(0) != MAGIC || length != 4 && length != 16) {
            throw new VerbsException(operation, "endpoint is of another kind: magic=0x"
                    + Integer.toHexString(bytes.getInt(0)) + " address bytes=" + length);
        }
        try {
            String address = InetAddress.getByAddress(Arrays.copyOfRange(endpoint, ADDRESS, ADDRESS + length))
                    .getHostAddress();
            return new RouterEndpoint(address, bytes.getInt(4), bytes.getInt(8), bytes.getLong(16));
        } catch (UnknownHostException e) {
            throw new VerbsException(operation, "endpoint: " + e, e);
        }
    }
}
