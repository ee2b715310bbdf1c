package org.jvrpc.roce.cm.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.ServiceClass;

class MessageTest {

    private static final Gid A = Gid.of(new byte[] {10, 0, 0, 1});
    private static final Gid B = Gid.of(new byte[] {10, 0, 0, 2});
    private static final String REQ = "01070203" + "00000000" + "1112131415161718" + "0010" + "0000" + "00000000"
            + "21222324" + "00000000" + "0000000001064655" + "3132333435363738" + "00000000" + "00000000"
            + "41424308" + "00000009" + "000000a0" + "515253a6" + "ffff" + "35" + "f8" + "ffff" + "ffff"
            + "00000000000000000000ffff0a000001" + "00000000000000000000ffff0a000002"
            + "00000000" + "00" + "40" + "00" + "88" + "00".repeat(44)
            + "0040" + "1234" + "00".repeat(12) + "0a000001" + "00".repeat(12) + "0a000002" + "6162" + "00".repeat(54);
    private static final String REP = "01070203" + "00000000" + "1112131415161718" + "0013" + "0000" + "00000000"
            + "21222324" + "31323334" + "00000000" + "41424300" + "00000000" + "51525300" + "0809" + "00" + "b0"
            + "6162636465666768" + "7172" + "00".repeat(194);

    private static String hex(ByteBuffer mad) {
        return HexFormat.of().formatHex(mad.array());
    }

    private static ConnectRequest request() {
        return new ConnectRequest(0x1112131415161718L, 0x21222324, Req.serviceId(0x4655), 0x3132333435363738L, 0x414243,
                0x515253, 8, 9, 3, 5, 6, 17, true, 0x1234, A, B, new byte[] {0x61, 0x62});
    }

    private static String ids(int attribute, String rest) {
        String body = "2122232431323334" + rest;
        return "01070203000000001112131415161718" + String.format("%04x", attribute) + "000000000000"
                + body + "0".repeat(464 - body.length());
    }

    @Test
    void reqHasEachFieldInItsPlace() {
        assertEquals(REQ, hex(request().encode()));
    }

    /** At 92 and 94 of the body. */
    @Test
    void reqHasTheClassOfServiceInItsPlace() {
        ConnectRequest plain = request();
        ByteBuffer mad = new ConnectRequest(plain.tid(), plain.localId(), plain.serviceId(), plain.caGuid(),
                plain.qpn(), plain.startingPsn(), 8, 9, 3, 5, 6, 17, true, 0x1234, A, B, new ServiceClass(9, 0xa5),
                plain.privateData()).encode();
        int at = 2 * (24 + 92);
        assertEquals(REQ.substring(0, at) + "a54090" + REQ.substring(at + 6), hex(mad));
        assertEquals(new ServiceClass(9, 0xa5), ConnectRequest.decode(mad).service());
    }

    @Test
    void repHasEachFieldInItsPlace() {
        assertEquals(REP, hex(new ConnectReply(0x1112131415161718L, 0x21222324, 0x31323334, 0x6162636465666768L,
                0x414243, 0x515253, 8, 9, 5, true, new byte[] {0x71, 0x72}).encode()));
    }

    @Test
    void shortMessagesHaveEachFieldInItsPlace() {
        long tid = 0x1112131415161718L;
        int local = 0x21222324;
        int remote = 0x31323334;
        assertEquals(ids(0x11, "40c0"), hex(Mra.create(tid, local, remote, 1, 24)));
        assertEquals(ids(0x12, "8000001c" + "00".repeat(72) + "61"),
                hex(Rej.create(tid, local, remote, 2, 28, new byte[] {0x61})));
        assertEquals(ids(0x14, ""), hex(Rtu.create(tid, local, remote)));
        assertEquals(ids(0x15, "414243"), hex(Dreq.create(tid, local, remote, 0x414243)));
        assertEquals(ids(0x16, ""), hex(Drep.create(tid, local, remote)));
    }

    @Test
    void ipv6AddressesFillTheCmaHeader() {
        byte[] address = HexFormat.of().parseHex("20010db8000000000000000000000007");
        ByteBuffer mad = ByteBuffer.allocate(36);
        CmaHeader.write(mad, 0, 7, Gid.of(address), Gid.of(address));
        assertEquals("00600007" + "20010db8000000000000000000000007".repeat(2), hex(mad));
    }

    @Test
    void everyDecodedRequestAndReplyEncodesToTheSameBytes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            ByteBuffer req = new ConnectRequest(random.nextLong(), random.nextInt(), random.nextLong(),
                    random.nextLong(), random.nextInt(1 << 24), random.nextInt(1 << 24), random.nextInt(256),
                    random.nextInt(256), random.nextInt(16), random.nextInt(8), random.nextInt(8), random.nextInt(32),
                    random.nextBoolean(), random.nextInt(65536), A, B, new byte[random.nextInt(57)]).encode();
            assertArrayEquals(req.array(), ConnectRequest.decode(req).encode().array(), "seed=" + seed);
            ByteBuffer rep = new ConnectReply(random.nextLong(), random.nextInt(), random.nextInt(), random.nextLong(),
                    random.nextInt(1 << 24), random.nextInt(1 << 24), random.nextInt(256), random.nextInt(256),
                    random.nextInt(8), random.nextBoolean(), new byte[random.nextInt(197)]).encode();
            assertArrayEquals(rep.array(), ConnectReply.decode(rep).encode().array(), "seed=" + seed);
        }
    }

    @Test
    void eachBadFieldOfReqHasItsOwnVerdict() {
        ByteBuffer mad = request().encode();
        assertEquals(Verdict.ACCEPTED, Req.check(mad, A));
        assertEquals(Verdict.GID, Req.check(mad, B));
        assertEquals(Verdict.TRANSPORT, Req.check(request().encode().put(24 + 43, (byte) 0xa2), A));
        assertEquals(Verdict.SERVICE_ID, Req.check(request().encode().put(24 + 13, (byte) 2), A));
        assertEquals(Verdict.QPN, Req.check(request().encode().putInt(24 + 32, 0x108), A));
        assertEquals(Verdict.PATH_MTU, Req.check(request().encode().put(24 + 50, (byte) 0x60), A));
        assertEquals(Verdict.CMA_HEADER, Req.check(request().encode().put(24 + 141, (byte) 0x50), A));
        assertEquals(Verdict.COMMUNICATION_ID, Req.check(request().encode().putInt(24, 0), A));
        assertEquals(Verdict.LENGTH, Mad.check(request().encode().limit(255)));
        assertEquals(Verdict.HEADER, Mad.check(request().encode().put(1, (byte) 4)));
        assertEquals(Verdict.ATTRIBUTE, Mad.check(request().encode().putShort(16, (short) 0x17)));
    }

    @Test
    void whatAMessageIsAboutIsReadAgain() {
        for (int about = 0; about < 4; about++) {
            assertEquals(about, Mra.message(Mra.create(1, 2, 3, about, 31)));
            assertEquals(about, Rej.message(Rej.create(1, 2, 3, about, 28, new byte[0])));
        }
    }

    @Test
    void aRejectionHasNoMorePrivateDataThanItHolds() {
        Rej.create(1, 2, 3, 0, 28, new byte[Rej.PRIVATE_BYTES]);
        assertThrows(IllegalArgumentException.class,
                () -> Rej.create(1, 2, 3, 0, 28, new byte[Rej.PRIVATE_BYTES + 1]));
    }
}
