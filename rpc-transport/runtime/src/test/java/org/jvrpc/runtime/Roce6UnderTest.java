package org.jvrpc.runtime;

/** Packets over the loopback interface, in IPv6. */
interface Roce6UnderTest extends RoceUnderTest {

    @Override
    default String host() {
        return "[::1]";
    }

    @Override
    default String clientHost() {
        return "0:0:0:0:0:0:0:1";
    }
}
