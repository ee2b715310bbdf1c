package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.curator.x.discovery.ServiceInstance;
import org.apache.curator.x.discovery.details.JsonInstanceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.resolve.ServerEntry;

final class InstanceCodecTest {

    private static final int SERVER_BYTES = 100;

    private static final ServerEntry SERVER = new ServerEntry("a-1", List.of("tcp://h:1", "shm://orders",
            "roce://h:2"), 3, Map.of("host", "h", "zone", "\"z\""));

    /** A payload that makes an object as soon as something reads it by its class. */
    public static final class Trap {

        private static int made;

        public Trap() {
            made++;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String instance(String payload) {
        return "{\"name\":\"orders\",\"id\":\"a\",\"address\":\"h\",\"port\":1,\"sslPort\":null,\"payload\":" + payload
                + ",\"registrationTimeUTC\":5,\"serviceType\":\"DYNAMIC\",\"uriSpec\":null}";
    }

    private static String refusal(byte[] bytes) {
        return assertThrows(BadInstanceException.class, () -> InstanceCodec.decode("orders", "a", bytes)).getMessage();
    }

    @Test
    void whatIsWrittenIsReadAgain() throws BadInstanceException {
        assertEquals(SERVER, InstanceCodec.decode("orders", "a-1", InstanceCodec.encode("orders", SERVER, 5)));
    }

    @Test
    void anyUserOfXDiscoveryReadsWhatIsWritten() throws Exception {
        byte[] written = InstanceCodec.encode("orders", SERVER, 5);
        ServiceInstance<Map<?, ?>> read = new JsonInstanceSerializer<Map<?, ?>>(mapClass()).deserialize(written);
        assertEquals("a-1 h 1", read.getId() + " " + read.getAddress() + " " + read.getPort());
        assertEquals(SERVER.addresses(), read.getPayload().get("addresses"));
        assertEquals(5, read.getRegistrationTimeUTC());
    }

    @SuppressWarnings("unchecked") // a class literal has no parameters
    private static Class<Map<?, ?>> mapClass() {
        return (Class<Map<?, ?>>) (Class<?>) Map.class;
    }

    @Test
    void theOptionsOfAServerStayAtHome() throws BadInstanceException {
        ServerEntry server = ServerEntry.of("a", "tls://h:1?chain=/etc/c.pem&key=/etc/k.pem", "roce://h:2?udp=9");
        byte[] written = InstanceCodec.encode("orders", server, 5);
        assertFalse(new String(written, StandardCharsets.UTF_8).contains("/etc"));
        assertEquals(List.of("tls://h:1", "roce://h:2"),
                InstanceCodec.decode("orders", "a", written).addresses());
    }

    @Test
    void aPayloadNeedsAddressesAlone() throws BadInstanceException {
        assertEquals(ServerEntry.of("a", "tcp://h:1"),
                InstanceCodec.decode("orders", "a", bytes(instance("{\"addresses\":[\"tcp://h:1\"],\"x\":{}}"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls://h:1?trust=/tmp/mine", "tls://h:1?key=k&chain=c", "roce://h:1?from=10.0.0.1",
        "roce://h:1?udp=1", "tcp://h:1?", "zk://evil/orders", "list:a,b", "dns://evil", "inproc://x", "tcp://h:1#x",
        "tcp://u:p@h:1", "tcp://h :1", "TCP://h:1", "h:1", "://h", "tcp://h:1\\n", "tcp://h:1\\u001b[2J",
        "tcp://h\\u202e:1", ""})
    void anAddressThatMustNotComeFromAZnodeIsRefused(String address) {
        String message = refusal(bytes(instance("{\"addresses\":[\"tcp://h:2\",\"" + address + "\"]}")));
        assertTrue(message.chars().allMatch(c -> c >= ' ' && c <= '~' || c == '…'), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"``", "x", "[]", "null", "{}", "{", "{}{}",
        "1e999999999", "{\"name\":\"orders\",\"name\":\"orders\"}"})
    void bytesThatAreNoInstanceAreRefused(String text) {
        refusal(bytes(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"null", "{}", "{\"addresses\":[]}", "{\"addresses\":{}}",
        "{\"addresses\":\"tcp://h:1\"}", "{\"addresses\":[1]}", "{\"addresses\":[null]}",
        "{\"addresses\":[\"tcp://h:1\",\"tcp://h:1\"]}", "{\"addresses\":[\"tcp://h:1\"],\"weight\":0}",
        "{\"addresses\":[\"tcp://h:1\"],\"weight\":1e9}", "{\"addresses\":[\"tcp://h:1\"],\"weight\":99999999999}",
        "{\"addresses\":[\"tcp://h:1\"],\"weight\":\"1\"}", "{\"addresses\":[\"tcp://h:1\"],\"attributes\":[]}",
        "{\"addresses\":[\"tcp://h:1\"],\"attributes\":{\"a\":1}}",
        "{\"addresses\":[\"tcp://h:1\"],\"attributes\":{\"a\":\"\\u0007\"}}",
        "{\"addresses\":[[[[[[[[[[[[\"x\"]]]]]]]]]]]]}"})
    void payloadsThatAreNoServerAreRefused(String payload) {
        refusal(bytes(instance(payload)));
    }

    @Test
    void whatIsTooMuchIsRefused() {
        String address = "\"tcp://h:1\"";
        refusal(bytes(instance("{\"addresses\":[" + (address + ",").repeat(2000) + address + "]}")));
        refusal(bytes(instance("{\"addresses\":[\"tcp://" + "h".repeat(600) + ":1\"]}")));
        assertTrue(refusal(new byte[InstanceCodec.MAX_BYTES + 1]).contains("bytes=65537"));
    }

    @Test
    void thoseOfAnotherServiceOrIdAreRefused() {
        byte[] good = InstanceCodec.encode("orders", ServerEntry.of("b", "tcp://h:1"), 5);
        assertTrue(refusal(good).contains("id=\"b\""), refusal(good));
        assertThrows(BadInstanceException.class, () -> InstanceCodec.decode("other", "b", good));
    }

    @Test
    void theClassThatAPayloadNamesIsNotMade() throws BadInstanceException {
        int before = Trap.made;
        String payload = "{\"@class\":\"" + Trap.class.getName() + "\",\"addresses\":[\"tcp://h:1\"]}";
        InstanceCodec.decode("orders", "a", bytes(instance(payload)));
        assertEquals(before, Trap.made);
    }

    @Test
    void damagedBytesAreAServerOrRefused() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] good = InstanceCodec.encode("orders", SERVER, 5);
        assertTrue(good.length > SERVER_BYTES);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                InstanceCodec.decode("orders", "a-1", damaged);
            } catch (BadInstanceException e) {
                assertTrue(e.getMessage().length() < 200, e::getMessage);
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + " round=" + i, e);
            }
        }
    }
}
