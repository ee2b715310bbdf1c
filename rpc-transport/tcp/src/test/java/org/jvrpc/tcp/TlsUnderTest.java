package org.jvrpc.tcp;

/** TLS over the loopback interface under the contract. */
interface TlsUnderTest extends TcpUnderTest {

    @Override
    default String newAddress() {
        return TcpUnderTest.super.newAddress().replace("tcp://", "tls://") + "?" + TlsFiles.own().proof();
    }

    @Override
    default String clientAddress(String serverAddress) {
        return serverAddress.replaceFirst("[?].*", "?" + TlsFiles.own().trust());
    }
}
