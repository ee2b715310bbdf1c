package org.jvrpc.runtime.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerAddressTest {

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"tcp://host:7471,host,7471", "tls://[::1]:1?trust=f,::1,1",
        "roce://10.0.0.1,10.0.0.1,0", "shm://orders,orders,0", "unix:///tmp/orders,/tmp/orders,0",
        "zk://a:2181/b/orders,orders,0", "list:a,-,0", "tcp://host:x,host,0", "nonsense,-,0"})
    void addressesAreReadAsTheConventionsWantThem(String address, String host, int port) {
        assertEquals(new ServerAddress(host, port), ServerAddress.of(address));
    }
}
