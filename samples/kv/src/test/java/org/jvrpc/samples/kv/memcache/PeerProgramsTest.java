package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.rubyeye.xmemcached.GetsResponse;
import net.rubyeye.xmemcached.XMemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.command.BinaryCommandFactory;
import net.spy.memcached.BinaryConnectionFactory;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.ConnectionFactory;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.MemcachedClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that others wrote. */
class PeerProgramsTest {

    @ParameterizedTest
    @ValueSource(strings = {"-a", "-b"})
    void memccapablePassesWhole(String protocol) throws Exception {
        String program = DebianMemcached.program("memccapable", "libmemcached-tools");
        try (TestServer server = TestServer.start()) {
            Process process = new ProcessBuilder(program, "-h", "127.0.0.1", "-p", "" + server.port(), protocol)
                    .redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue(), output);
            assertTrue(output.contains("All tests passed"), output);
            assertFalse(output.contains("FAIL"), output);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void spymemcachedFindsEverythingAsItShouldBe(boolean binary) throws Exception {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SunLogger");
        java.util.logging.Logger.getLogger("net.spy").setLevel(java.util.logging.Level.SEVERE);
        ConnectionFactory factory = binary ? new BinaryConnectionFactory() : new DefaultConnectionFactory();
        try (TestServer server = TestServer.start()) {
            MemcachedClient client =
                    new MemcachedClient(factory, List.of(new InetSocketAddress("127.0.0.1", server.port())));
            try {
                spymemcached(client, binary);
            } finally {
                client.shutdown();
            }
        }
    }

    private static void spymemcached(MemcachedClient client, boolean binary) throws Exception {
        byte[] large = new byte[900_000];
        new Random(1).nextBytes(large);
        assertTrue(client.set("a", 0, "value").get());
        assertEquals("value", client.get("a"));
        assertNull(client.get("missing"));
        assertFalse(client.add("a", 0, "other").get());
        assertTrue(client.replace("a", 0, "new").get());
        assertTrue(client.set("large", 100, large).get());
        assertArrayEquals(large, (byte[]) client.get("large"));
        CASValue<Object> gets = client.gets("a");
        assertEquals(CASResponse.OK, client.cas("a", gets.getCas(), "swapped"));
        assertEquals(CASResponse.EXISTS, client.cas("a", gets.getCas(), "late"));
        assertTrue(client.append("a", "+").get());
        assertTrue(client.prepend("a", "-").get());
        assertEquals("-swapped+", client.get("a"));
        assertEquals(7, client.incr("n", 5, 7, 100));
        assertEquals(12, client.incr("n", 5));
        assertEquals(0, client.decr("n", 50));
        Map<String, Object> bulk = client.getBulk("a", "large", "missing");
        assertEquals(2, bulk.size());
        assertTrue(client.touch("a", 100).get());
        if (binary) {
            assertEquals("-swapped+", client.getAndTouch("a", 100).getValue());
        }
        assertTrue(client.delete("a").get());
        assertFalse(client.delete("a").get());
        assertEquals(1, client.getStats().size());
        assertTrue(client.flush().get());
        assertNull(client.get("large"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void xmemcachedFindsEverythingAsItShouldBe(boolean binary) throws Exception {
        try (TestServer server = TestServer.start()) {
            XMemcachedClientBuilder builder =
                    new XMemcachedClientBuilder(List.of(new InetSocketAddress("127.0.0.1", server.port())));
            if (binary) {
                builder.setCommandFactory(new BinaryCommandFactory());
            }
            XMemcachedClient client = (XMemcachedClient) builder.build();
            try {
                xmemcached(client);
            } finally {
                client.shutdown();
            }
        }
    }

    private static void xmemcached(XMemcachedClient client) throws Exception {
        byte[] large = new byte[900_000];
        new Random(2).nextBytes(large);
        assertTrue(client.set("a", 0, "value"));
        assertEquals("value", client.get("a"));
        assertNull(client.get("missing"));
        assertFalse(client.add("a", 0, "other"));
        assertTrue(client.replace("a", 0, "new"));
        assertTrue(client.set("large", 100, large));
        assertArrayEquals(large, client.get("large", 10_000));
        GetsResponse<String> gets = client.gets("a");
        assertTrue(client.cas("a", 0, "swapped", gets.getCas()));
        assertFalse(client.cas("a", 0, "late", gets.getCas()));
        assertTrue(client.append("a", "+"));
        assertTrue(client.prepend("a", "-"));
        assertEquals("-swapped+", client.get("a"));
        assertEquals(7, client.incr("n", 5, 7));
        assertEquals(12, client.incr("n", 5));
        assertEquals(0, client.decr("n", 50));
        assertEquals(2, client.get(List.of("a", "large", "missing")).size());
        assertTrue(client.touch("a", 100));
        assertTrue(client.delete("a"));
        assertNotNull(client.getStats());
        client.flushAll();
        assertNull(client.get("large"));
    }
}
