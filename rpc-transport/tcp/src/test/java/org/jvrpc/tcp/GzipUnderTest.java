package org.jvrpc.tcp;

/** Compressed streams over the loopback interface under the contract. */
interface GzipUnderTest extends TcpUnderTest {

    @Override
    default String clientAddress(String serverAddress) {
        return serverAddress + "?compression=gzip";
    }
}
