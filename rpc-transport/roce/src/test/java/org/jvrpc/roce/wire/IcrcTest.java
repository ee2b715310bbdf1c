package org.jvrpc.roce.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IcrcTest {

    /** IP packets up to and including the ICRC; the first was captured from a ConnectX-4 Lx. */
    private static final String CNP = "45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000"
            + "0000000000000000000000000000000082fd002a";
    private static final String SEND = "4500003400004000401126b70a0000010a000002c12312b7002000000430ffff000000118012"
            + "345668656c6c6f000000c6a414ee";
    private static final String ACK = "4500003000004000401126bb0a0000020a000001c32112b7001c00001100ffff000000120012"
            + "34561f0000013e504780";
    private static final String READ = "4500003c00004000401126af0a0000010a000002c12312b7002800000c00ffff000000118012"
            + "34571122334455667788000012340000001088744a79";
    private static final String SWAP = "4500004800004000401126a30a0000010a000002c12312b7003400001300ffff000000118012"
            + "3458112233445566778800001234000000000000000200000000000000013d4b30e4";
    private static final int UDP = 20;
    private static final int BTH = 28;

    private static int compute(ByteBuffer ip, int fragment) {
        byte[] source = new byte[4];
        byte[] destination = new byte[4];
        ip.duplicate().clear().get(12, source).get(16, destination);
        return new Icrc(source, destination).compute(ip, BTH, ip.capacity() - BTH - Icrc.BYTES,
                ip.getShort(UDP) & 0xffff, ip.getShort(UDP + 2) & 0xffff, fragment);
    }

    @ParameterizedTest
    @ValueSource(strings = {CNP, SEND, ACK, READ, SWAP})
    void theCrcOfAPacketIsTheOneThatItCarries(String hex) {
        ByteBuffer ip = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        assertEquals(Icrc.read(ip, ip.capacity() - Icrc.BYTES), compute(ip, ip.getInt(4)));
    }

    @ParameterizedTest
    @ValueSource(strings = {CNP, SEND, ACK, READ, SWAP})
    void aDirectBufferHasTheSameCrcAndKeepsItsPosition(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        ByteBuffer ip = ByteBuffer.allocateDirect(bytes.length).put(bytes).position(3);
        assertEquals(Icrc.read(ByteBuffer.wrap(bytes), bytes.length - Icrc.BYTES), compute(ip, ip.getInt(4)));
        assertEquals(3, ip.position());
        assertEquals(bytes.length, ip.limit());
    }

    @Test
    void theHiddenIdentificationIsFound() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            ByteBuffer ip = ByteBuffer.allocate(BTH + Bth.BYTES + 4 * random.nextInt(1040) + Icrc.BYTES);
            random.nextBytes(ip.array());
            int length = ip.capacity() - BTH - Icrc.BYTES;
            int id = random.nextInt(1 << 16);
            int received = compute(ip, id << 16 | Icrc.DONT_FRAGMENT);
            int computed = compute(ip, Icrc.DONT_FRAGMENT);
            assertEquals(id, Icrc.identification(computed, received, length), "seed=" + seed + " i=" + i);
        }
    }

    @Test
    void aDamagedPacketHasNoIdentificationInAlmostAllCases() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int passed = 0;
        for (int i = 0; i < 20_000; i++) {
            passed += Icrc.identification(random.nextInt(), random.nextInt(), 1040) >= 0 ? 1 : 0;
        }
        assertTrue(passed < 8, "passed=" + passed + " seed=" + seed); // 0.3 are expected
    }

    @Test
    void anIpv6PacketIsCoveredButForWhatRoutersChange() {
        byte[] source = HexFormat.of().parseHex("fe800000000000000000000000000001");
        byte[] destination = HexFormat.of().parseHex("fe800000000000000000000000000002");
        ByteBuffer packet = ByteBuffer.allocate(64);
        Bth.write(packet, 8, Opcode.SEND_ONLY, 0, false, true, 0x11, 0x123456);
        Icrc icrc = new Icrc(source, destination);
        int crc = icrc.compute(packet, 8, 24, 0xc123, 4791, 0);
        packet.put(12, (byte) 0xc0); // FECN, BECN
        assertEquals(crc, icrc.compute(packet, 8, 24, 0xc123, 4791, 99));
        assertEquals(reference(source, destination, packet), crc);
    }

    /** The CRC of the test's IPv6 packet, over bytes that are written one by one. */
    private static int reference(byte[] source, byte[] destination, ByteBuffer packet) {
        CRC32 crc = new CRC32();
        crc.update(HexFormat.of().parseHex("ffffffffffffffff" + "6fffffff" + "0024" + "11" + "ff"));
        crc.update(source);
        crc.update(destination);
        crc.update(HexFormat.of().parseHex("c12312b70024ffff"));
        byte[] bytes = new byte[24];
        packet.get(8, bytes);
        bytes[4] = -1;
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Test
    void addressesOfTwoKindsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Icrc(new byte[4], new byte[16]));
        assertThrows(IllegalArgumentException.class, () -> new Icrc(new byte[5], new byte[5]));
    }
}
