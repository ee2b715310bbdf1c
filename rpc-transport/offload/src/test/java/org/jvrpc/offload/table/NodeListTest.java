package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;

/** A list by itself, and under a walk. */
class NodeListTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final int MAX_VALUE = 100;

    private final Device device = Devices.open("shm://any");
    private final ProtectionDomain pd = device.allocatePd();
    /** So that the list begins at no round address. */
    private final MemoryRegion before = pd.allocate(4096, 0);
    private final MemoryRegion region = pd.allocate(128 << 10, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = region.buffer(0, (int) region.length());
    private final CRC32C crc = new CRC32C();
    private long nowNs;

    @AfterEach
    void close() {
        device.close();
    }

    private static ByteBuffer value(long content) {
        return ByteBuffer.allocate(MAX_VALUE).putLong(0, content).limit((int) (8 + content % 90));
    }

    @Test
    void aListIsLikeAMapAlsoWhenItIsTakenUpAgain() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        NodeList list = NodeList.create(region, 64, MAX_VALUE, 100, () -> nowNs);
        Map<Long, Long> expected = new HashMap<>();
        for (long step = 0; step < 20_000; step++) {
            nowNs += 10;
            long key = 1 + random.nextInt(50);
            if (random.nextBoolean()) {
                assertTrue(list.put(key, value(step)) > 0, "step " + step + " seed=" + seed);
                expected.put(key, step);
            } else {
                assertEquals(expected.remove(key) != null, list.remove(key), "step " + step + " seed=" + seed);
            }
            if (step % 1000 == 0) {
                list = NodeList.attach(region, MAX_VALUE, 100, () -> nowNs);
                nowNs += 200; // what is free rests at first
            }
            assertEquals(expected.size(), list.size());
        }
        for (Map.Entry<Long, Long> entry : expected.entrySet()) {
            int at = list.get(entry.getKey());
            assertTrue(Value.isWhole(memory, at, MAX_VALUE + Value.HEADER, entry.getKey(), crc), "seed=" + seed);
            assertEquals(entry.getValue(), Long.reverseBytes(memory.getLong(at + Value.HEADER)));
        }
    }

    @Test
    void aFullListSaysSoAndBadValuesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> NodeList.attach(region, MAX_VALUE, 1, () -> nowNs));
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 1 << 20, 8, 1, () -> nowNs));
        NodeList list = NodeList.create(region, 2, MAX_VALUE, 100, () -> nowNs);
        assertTrue(list.put(1, value(1)) > 0);
        assertTrue(list.put(2, value(2)) > 0);
        assertEquals(0, list.put(3, value(3)));
        assertTrue(list.remove(1));
        assertEquals(0, list.put(3, value(3)), "the node rests");
        nowNs += 100;
        assertTrue(list.put(3, value(3)) > 0);
        assertThrows(IllegalArgumentException.class, () -> list.put(0, value(1)));
        assertThrows(IllegalArgumentException.class, () -> list.put(1L << 48, value(1)));
        assertThrows(IllegalArgumentException.class, () -> list.put(1, ByteBuffer.allocate(MAX_VALUE + 1)));
    }

    @Test
    void theRoomForAListIsToTheByte() {
        int longest = (int) region.length() - 128 - 3 * Node.BYTES - Value.HEADER - 2 * Node.BYTES;
        NodeList.create(region, 3, longest, 100, () -> nowNs);
        NodeList.attach(region, longest, 100, () -> nowNs);
        String message = assertThrows(IllegalArgumentException.class,
                () -> NodeList.create(region, 3, longest + 1, 100, () -> nowNs)).getMessage();
        assertTrue(message.contains("capacity=3 maxValue=" + (longest + 1) + " region=" + region.length()), message);
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 4, longest, 100, () -> nowNs));
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 0, 1, 100, () -> nowNs));
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 1, 0, 100, () -> nowNs));
    }

    /** Puts values until there is no more room for them; returns how many. */
    private long fill(NodeList list, long length) {
        for (long key = 1;; key++) {
            if (list.put(key, ByteBuffer.allocate((int) length)) == 0) {
                return key - 1;
            }
            int end = list.get(key) + Value.HEADER + (int) length;
            assertTrue(end <= region.length() - Value.HEADER - MAX_VALUE, "who reads too much stays in the region");
        }
    }

    @Test
    void aListThatIsTakenUpHasAllTheRoomThatNobodyUses() {
        NodeList list = NodeList.create(region, 1000, MAX_VALUE, 100, () -> nowNs);
        long keys = fill(list, MAX_VALUE);
        assertTrue(keys > 200 && keys < 1000, "values end before nodes: keys=" + keys);
        for (long key = 1; key <= keys; key++) {
            assertTrue(list.remove(key));
        }
        NodeList taken = NodeList.attach(region, MAX_VALUE, 100, () -> nowNs);
        nowNs += 200;
        assertEquals(keys, fill(taken, MAX_VALUE));
    }

    @Test
    void theShortestValuesEndBeforeTheRoomForTheLongest() {
        NodeList list = NodeList.create(region, 1030, MAX_VALUE, 100, () -> nowNs);
        long keys = fill(list, 64 - Value.HEADER);
        assertTrue(keys > 1000 && keys < 1030, "values end before nodes: keys=" + keys);
    }

    @Test
    void aListThatLeadsRoundBeforeItsOldestKeysIsRefused() {
        NodeList list = NodeList.create(region, 64, MAX_VALUE, 100, () -> nowNs);
        list.put(1, value(1));
        list.put(2, value(2));
        int second = (int) (list.firstNode() - region.address());
        list.put(3, value(3));
        memory.putLong(second + Node.NEXT, Long.reverseBytes(list.firstNode()));
        String message = assertThrows(IllegalArgumentException.class,
                () -> NodeList.attach(region, MAX_VALUE, 100, () -> nowNs)).getMessage();
        assertTrue(message.contains("no node at="), message);
    }

    @Test
    void aListThatEndsNowhereIsRefused() {
        NodeList list = NodeList.create(region, 64, MAX_VALUE, 100, () -> nowNs);
        list.put(1, value(1));
        int last = (int) (list.firstNode() - region.address());
        for (long key = 2; key <= 9; key++) {
            list.put(key, value(key));
        }
        memory.putLong(last + Node.NEXT, Long.reverseBytes(list.firstNode()));
        String message = assertThrows(IllegalArgumentException.class,
                () -> NodeList.attach(region, MAX_VALUE, 100, () -> nowNs)).getMessage();
        assertTrue(message.contains("no node at="), message);
    }

    @Test
    void aWalkFindsWhatIsInTheList() {
        NodeList list = NodeList.create(region, 64, MAX_VALUE, 100, () -> nowNs);
        String address = SharedMemoryFolder.freshAddress();
        try (Device clientDevice = Devices.open("shm://any"); OffloadHost host = new OffloadHost(device, address)) {
            host.offer(new Offer("list", LookupKind.LIST_WALK_BREAK, region, 0));
            OffloadClient client = OffloadClient.connect(clientDevice, address, "list", MAX_VALUE + Value.HEADER,
                    clientDevice.createChannel(), TIMEOUT_NS);
            for (long key = 1; key <= 8; key++) {
                list.put(key, value(100 + key));
                for (long k = 1; k <= 8; k++) {
                    Outcome outcome = client.listWalk(k, list.firstNode(), TIMEOUT_NS);
                    assertEquals(k <= key ? Outcome.FOUND : Outcome.MISSED, outcome, k + " of " + key);
                    assertTrue(k > key || Value.isWhole(client.answer(), 0, MAX_VALUE + Value.HEADER, k, crc));
                }
            }
            list.remove(3);
            assertEquals(Outcome.MISSED, client.listWalk(3, list.firstNode(), TIMEOUT_NS));
            assertEquals(Outcome.FOUND, client.listWalk(1, list.firstNode(), TIMEOUT_NS));
            client.close();
        }
    }

    private NodeList create(int capacity) {
        return NodeList.create(region, capacity, MAX_VALUE, 100, () -> nowNs);
    }

    private NodeList attach() {
        return NodeList.attach(region, MAX_VALUE, 100, () -> nowNs);
    }

    private int node(long address) {
        return (int) (address - region.address());
    }

    @Test
    void theNewestKeyIsFirstAndTheEndLast() {
        NodeList list = create(8);
        assertEquals(region.address() + 64, list.firstNode(), "the end");
        assertEquals(8, IndexHeader.count(memory, 0));
        for (long key = 1; key <= 3; key++) {
            list.put(key, value(key));
            assertEquals(list.firstNode(), IndexHeader.address(memory, 0));
            assertEquals(key, list.size());
        }
        list.put(2, value(7)); // stays where it is
        StringBuilder keys = new StringBuilder();
        int at = node(list.firstNode());
        for (; at != 64; at = node(Node.next(memory, at))) {
            keys.append(Node.key(memory, at)).append(' ');
            assertEquals(list.get(Node.key(memory, at)), node(Node.address(memory, at)));
        }
        assertEquals("3 2 1 ", keys.toString());
        assertEquals(region.address() + 64, Node.next(memory, 64), "the end leads to itself");
        int second = node(Node.next(memory, node(list.firstNode())));
        assertEquals(Value.HEADER + value(7).limit(), Node.length(memory, second));
        assertTrue(IndexHeader.isWhole(memory, 0));
        assertEquals(-1, list.get(4));
        assertFalse(list.remove(4));
    }

    @Test
    void versionsGrowAlsoWhenItIsTakenUpAgain() {
        NodeList list = create(8);
        assertEquals(1, list.put(1, value(1)));
        assertEquals(2, list.put(2, value(1)));
        assertEquals(3, list.put(1, value(1)));
        assertEquals(3, attach().size() + 1);
        assertEquals(4, attach().put(2, value(1)));
    }

    @Test
    void aNodeAndItsValueRestBeforeTheyAreUsedAgain() {
        NodeList list = create(8);
        list.put(1, value(1));
        int first = node(list.firstNode());
        int firstValue = list.get(1);
        assertTrue(list.remove(1));
        assertEquals(0, list.size());
        nowNs += 99;
        list.put(2, value(1));
        assertEquals(first + Node.BYTES, node(list.firstNode()), "it rests");
        assertNotEquals(firstValue, list.get(2), "it rests");
        nowNs++;
        list.put(3, value(1));
        assertEquals(first, node(list.firstNode()));
        assertEquals(firstValue, list.get(3));
        list.put(4, value(1));
        assertEquals(first + 2 * Node.BYTES, node(list.firstNode()), "it is used once");
    }

    @Test
    void aReplacedValuesChunkIsUsedAgain() {
        NodeList list = create(8);
        list.put(1, value(1));
        int chunk = list.get(1);
        list.put(1, value(1));
        assertNotEquals(chunk, list.get(1));
        nowNs += 100;
        list.put(1, value(1));
        assertEquals(chunk, list.get(1));
    }

    @Test
    void theNextWriterHasTheNodesThatAreFreeAfterTheirRest() {
        NodeList before = create(4);
        for (long key = 1; key <= 3; key++) {
            before.put(key, value(key));
        }
        int third = node(before.firstNode());
        before.remove(2);
        NodeList list = attach();
        assertEquals(2, list.size());
        list.put(4, value(4));
        assertEquals(third + Node.BYTES, node(list.firstNode()), "what is free rests");
        assertEquals(0, list.put(5, value(5)), "it rests");
        nowNs += 100;
        list.put(5, value(5));
        assertEquals(third - Node.BYTES, node(list.firstNode()));
        assertEquals(0, list.put(6, value(6)), "it is full");
        for (long key : new long[] {1, 3, 4, 5}) {
            assertTrue(Value.isWhole(memory, list.get(key), MAX_VALUE + Value.HEADER, key, crc), "key=" + key);
        }
    }

    @Test
    void aListThatWasCutOffInAPublicationIsWholeAgain() {
        create(4).put(1, value(1));
        memory.putLong(IndexHeader.CHECK, 0);
        attach();
        assertTrue(IndexHeader.isWhole(memory, 0));
    }

    @Test
    void nodesThatAreNoneAreRefused() {
        int values = 128 + 4 * Node.BYTES;
        for (int at : new int[] {0, 127, values, -64}) {
            create(4);
            IndexHeader.publish(memory, 0, region.address() + at, 4);
            String message = assertThrows(IllegalArgumentException.class, this::attach).getMessage();
            assertTrue(message.contains("no node at=" + at), message);
        }
        NodeList list = create(4);
        list.put(1, value(1));
        list.put(2, value(2));
        Node.link(memory, 128, region.address() + 192); // leads round for ever
        assertThrows(IllegalArgumentException.class, this::attach);
        create(4);
        Node.link(memory, 64, region.address());
        assertThrows(IllegalArgumentException.class, this::attach, "no end");
        create(4);
        IndexHeader.publish(memory, 0, region.address() + 64, 4 | 1L << 32);
        assertThrows(IllegalArgumentException.class, this::attach, "no capacity");
    }

    @Test
    void theLastNodeIsOne() {
        NodeList list = create(3);
        for (long key = 1; key <= 3; key++) {
            assertTrue(list.put(key, value(key)) > 0);
        }
        assertEquals(128 + 2 * Node.BYTES, node(list.firstNode()));
        assertEquals(3, attach().size());
        assertTrue(attach().get(1) >= 128 + 3 * Node.BYTES + 64, "values lie behind the nodes");
    }

    @Test
    void sizesAreRefusedToTheByte() {
        long room = region.length() - 128 - Value.HEADER - 2 * Node.BYTES;
        int capacity = (int) (room - MAX_VALUE) / Node.BYTES;
        create(capacity);
        assertThrows(IllegalArgumentException.class, () -> create(capacity + 1));
        assertThrows(IllegalArgumentException.class, () -> create(0));
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 1, 0, 1, () -> nowNs));
        int longest = (int) room - Node.BYTES;
        NodeList list = NodeList.create(region, 1, longest, 1, () -> nowNs);
        assertEquals(0, list.put(1, ByteBuffer.allocate(longest)), "its own chunk does not fit, but that is told");
        assertThrows(IllegalArgumentException.class, () -> NodeList.create(region, 1, longest + 1, 1, () -> nowNs));
        assertThrows(IllegalArgumentException.class,
                () -> NodeList.create(new LargeRegion((1L << 30) + 1), 1, 1, 1, () -> nowNs));
        assertThrows(UnsupportedOperationException.class,
                () -> NodeList.create(new LargeRegion(1L << 30), 1, 1, 1, () -> nowNs));
    }

    @Test
    void behindTheLastChunkThereIsRoomForTheLongestValue() {
        NodeList list = create(1000);
        long key = 1;
        while (list.put(key, ByteBuffer.allocate(MAX_VALUE)) != 0) {
            assertTrue(list.get(key) + 256 <= region.length() - Value.HEADER - MAX_VALUE, "key=" + key);
            key++;
        }
        assertTrue(list.get(key - 1) + 512 > region.length() - Value.HEADER - MAX_VALUE, "up to there it is used");
        assertEquals(key - 1, list.size());
    }
}
