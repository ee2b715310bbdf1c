package org.jvrpc.softrnic.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.VerbsException;

class RoceEndpointTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "fe80:0:0:0:0:0:0:1"})
    void anEndpointComesOutAsItWentIn(String host) {
        RoceEndpoint endpoint = new RoceEndpoint(new InetSocketAddress(host, 4791), 0xffffff, 0x123456, 1024);
        assertEquals(endpoint, RoceEndpoint.decode(endpoint.encode()));
    }

    @ParameterizedTest
    @CsvSource({"0, 17, 5, 1024", "4791, 1, 5, 1024", "4791, 16777216, 5, 1024", "4791, 17, 16777216, 1024",
        "4791, 17, -1, 1024", "4791, 17, 5, 0", "4791, 17, 5, 128", "4791, 17, 5, 1000", "4791, 17, 5, 8192"})
    void whatCannotBeReachedIsRefused(int port, int qpn, int psn, int mtu) {
        byte[] bytes = new RoceEndpoint(new InetSocketAddress("127.0.0.1", port), qpn, psn, mtu).encode();
        assertThrows(VerbsException.class, () -> RoceEndpoint.decode(bytes));
    }

    @Test
    void bytesThatAreNoEndpointAreRefusedAndNothingElseIsThrown() {
        byte[] good = new RoceEndpoint(new InetSocketAddress("127.0.0.1", 4791), 17, 5, 256).encode();
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThrows(VerbsException.class, () -> RoceEndpoint.decode(cut));
        }
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 1) {
                bytes[0] = 1;
                bytes[1] = (byte) (bytes.length - 14);
            }
            try {
                RoceEndpoint.decode(bytes);
            } catch (VerbsException e) {
                continue; // as it should
            }
            assertTrue(bytes.length > 14, "seed=" + seed + " i=" + i);
        }
    }
}
