package org.jvrpc.roce.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Dreq;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.roce.cm.message.Rtu;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.AtomicEth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Cnp;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Reth;

/** What Wireshark's dissector reads in packets that are written here, field by field, over IPv4 and IPv6. */
class TsharkTest {

    private static final byte[][] IPV4 = {{10, 0, 0, 1}, {10, 0, 0, 2}};
    private static final byte[][] IPV6 = {HexFormat.of().parseHex("fd000000000000000000000000000001"),
        HexFormat.of().parseHex("fd000000000000000000000000000002")};
    private static final int TIME_LIMIT_S = 120;

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(15);
    private final List<String> expected = new ArrayList<>();
    private PcapWriter out;
    private byte[][] addresses;
    private Icrc icrc;
    private ByteBuffer frame;
    private int bth;
    private long timeNs;

    @BeforeAll
    static void tshark(@TempDir Path folder) throws Exception {
        assumeTrue(run(List.of("tshark", "--version"), folder) != null, "this machine has no tshark");
    }

    /** Returns what a command says, or null where there is none. */
    private static String run(List<String> command, Path folder) throws Exception {
        Path said = folder.resolve("said");
        Process process;
        try {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(said.toFile()).start();
        } catch (IOException e) {
            return null;
        }
        try {
            assertTrue(process.waitFor(TIME_LIMIT_S, TimeUnit.SECONDS), "still runs: " + command);
            assertEquals(0, process.exitValue(), command.toString());
            return Files.readString(said);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Writes frames of one kind, for each of the two kinds of address. */
    private void write(Runnable frames) throws IOException {
        Path file = folder.resolve("ours.pcap");
        try (OutputStream stream = Files.newOutputStream(file)) {
            out = new PcapWriter(stream);
            for (byte[][] pair : List.of(IPV4, IPV6)) {
                addresses = pair;
                icrc = new Icrc(pair[0], pair[1]);
                frames.run();
            }
        }
    }

    private void assertRead(String filter, String... fields) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", folder.resolve("ours.pcap").toString(),
                "-o", "ip.check_checksum:TRUE", "-Y", filter, "-T", "fields", "-E", "separator= "));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        assertEquals(plain(String.join("\n", expected)), plain(run(command, folder)));
    }

    /** Returns lines with numbers in decimal, once: how wide they are shown differs between versions of tshark. */
    private static String plain(String lines) {
        String once = lines.replaceAll("(?m)\\b(\\w+),\\1\\b", "$1").replaceAll("(?m) +$", "").strip();
        return Pattern.compile("\\b0x([0-9a-f]+)\\b").matcher(once)
                .replaceAll(number -> Long.toUnsignedString(Long.parseUnsignedLong(number.group(1), 16)));
    }

    private void begin() {
        frame = ByteBuffer.allocate(512);
        bth = Frame.headerBytes(addresses[0]);
    }

    private void end(int length) {
        int bytes = Frame.write(frame, icrc, addresses[0], addresses[1], length, 0x1234, 0x6a, 0xc123);
        try {
            out.write(timeNs += 1_000_000_001, frame.limit(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void expect(String format, Object... values) {
        expected.add(String.format(Locale.ROOT, format, values));
    }

    @Test
    void aBthIsReadFieldByFieldForEachOpcode() throws Exception {
        write(() -> {
            for (int opcode = 0; opcode <= Opcode.CNP; opcode++) {
                if (Opcode.isKnown(opcode)) {
                    base(opcode);
                }
            }
        });
        assertRead("infiniband", "frame.time_epoch", "infiniband.bth.opcode", "infiniband.bth.se", "infiniband.bth.m",
                "infiniband.bth.padcnt", "infiniband.bth.tver", "infiniband.bth.p_key", "infiniband.bth.destqp",
                "infiniband.bth.a", "infiniband.bth.psn", "_ws.malformed",
                "udp.srcport", "ip.checksum.status");
    }

    private void base(int opcode) {
        begin();
        int pad = random.nextInt(4);
        boolean solicited = random.nextBoolean();
        boolean ack = random.nextBoolean();
        int qpn = random.nextInt(1 << 24);
        int psn = random.nextInt(1 << 24);
        Bth.write(frame, bth, opcode, pad, solicited, ack, qpn, psn);
        end(Opcode.headerBytes(opcode) + 16);
        expect("%d.%09d %d %d 1 %d 0 65535 0x%06x %d %d  %d%s", timeNs / 1_000_000_000,
                timeNs % 1_000_000_000, opcode, solicited ? 1 : 0, pad, qpn, ack ? 1 : 0, psn, 0xc123,
                addresses == IPV4 ? " 1" : "");
    }

    @Test
    void theHeadersBehindItAreRead() throws Exception {
        write(() -> {
            begin();
            Bth.write(frame, bth, Opcode.READ_REQUEST, 0, false, true, 5, 6);
            Reth.write(frame, bth + Bth.BYTES, 0x1122334455667788L, 0x99aabbcc, 0x01020304);
            end(Bth.BYTES + Reth.BYTES);
            expect("0x1122334455667788 0x99aabbcc %d", 0x01020304);
            begin();
            Bth.write(frame, bth, Opcode.COMPARE_SWAP, 0, false, true, 5, 7);
            AtomicEth.write(frame, bth + Bth.BYTES, 0x1122334455667788L, 0x99aabbcc, 3, 4);
            end(Bth.BYTES + AtomicEth.BYTES);
            expect("0x1122334455667788 0x99aabbcc  3 4");
            begin();
            Bth.write(frame, bth, Opcode.ATOMIC_ACKNOWLEDGE, 0, false, false, 5, 7);
            Aeth.write(frame, bth + Bth.BYTES, Aeth.NAK_ACCESS, 0xabcdef);
            frame.putLong(bth + Bth.BYTES + Aeth.BYTES, 77);
            end(Bth.BYTES + Aeth.BYTES + Long.BYTES);
            expect("     %d %d 77", Aeth.NAK_ACCESS & 31, 0xabcdef);
            begin();
            Bth.write(frame, bth, Opcode.UD_SEND_ONLY_IMM, 0, false, false, 5, 7);
            Deth.write(frame, bth + Bth.BYTES, 0x11111111, 0x222222);
            frame.putInt(bth + Bth.BYTES + Deth.BYTES, 0xcafebabe);
            end(Bth.BYTES + Deth.BYTES + Integer.BYTES);
            expect("        0x0000000011111111 0x00222222 cafebabe");
            begin();
            end(Cnp.write(frame, bth, 0x118));
            expect("");
        });
        expected.remove(expected.size() - 1);
        assertRead("infiniband", "infiniband.reth.va", "infiniband.reth.r_key", "infiniband.reth.dmalen",
                "infiniband.atomiceth.swapdt", "infiniband.atomiceth.cmpdt", "infiniband.aeth.syndrome.error_code",
                "infiniband.aeth.msn", "infiniband.atomicacketh.origremdt", "infiniband.deth.q_key",
                "infiniband.deth.srcqp", "infiniband.immdt");
    }

    private void mad(ByteBuffer mad) {
        begin();
        Bth.write(frame, bth, Opcode.UD_SEND_ONLY, 0, false, false, 1, 9);
        Deth.write(frame, bth + Bth.BYTES, Mad.QKEY, 1);
        frame.put(bth + Bth.BYTES + Deth.BYTES, mad, 0, Mad.BYTES);
        end(Bth.BYTES + Deth.BYTES + Mad.BYTES);
    }

    @Test
    void aRequestToConnectIsRead() throws Exception {
        write(() -> {
            mad(new ConnectRequest(0x1122334455667788L, 0x01020304, Req.serviceId(7471), 0x99L, 0x123456, 0xabcdef, 7,
                    9, 3, 6, 5, 19, true, 0x4567, Gid.of(addresses[0]), Gid.of(addresses[1]), new byte[] {1, 2})
                    .encode());
            expect("0x0010 0x1122334455667788 0x01020304 7471 0x123456 0x07 0x09 0x00abcdef 0x05 0x03 0x06 0x01 0x13"
                    + " 0x%02x 17767", addresses == IPV4 ? 4 : 6);
        });
        assertRead("infiniband.cm.req", "infiniband.mad.attributeid", "infiniband.mad.transactionid",
                "infiniband.cm.req", "infiniband.cm.req.serviceid.dport", "infiniband.cm.req.localqpn",
                "infiniband.cm.req.responderres", "infiniband.cm.req.initdepth", "infiniband.cm.req.startpsn",
                "infiniband.cm.req.retrcount", "infiniband.cm.req.pppmtu", "infiniband.cm.req.rnrretrcount",
                "infiniband.cm.req.srq", "infiniband.cm.req.prim_localacktout", "infiniband.cm.req.ip_cm.ipv",
                "infiniband.cm.req.ip_cm.sport");
    }

    @Test
    void theOtherMessagesAreRead() throws Exception {
        write(() -> {
            mad(new ConnectReply(1, 2, 3, 4, 0x123456, 0xabcdef, 7, 9, 5, true, new byte[] {1}).encode());
            expect("0x0013 0x123456 0x00abcdef 0x07 0x09 0x05 0x01");
            mad(Rtu.create(1, 0x11, 0x22));
            expect("0x0014       0x00000011 0x00000022");
            mad(Rej.create(1, 0x11, 0x22, Rej.OF_REP, 8, new byte[0]));
            expect("0x0012         0x00000011 0x00000022 0x01 0x0008");
            mad(Dreq.create(1, 0x11, 0x22, 0x345678));
            expect("0x0015             0x00000011 0x00000022 0x00345678");
        });
        assertRead("infiniband.mad", "infiniband.mad.attributeid", "infiniband.cm.rep.localqpn",
                "infiniband.cm.rep.startpsn", "infiniband.cm.rep.respres", "infiniband.cm.rep.initdepth",
                "infiniband.cm.rep.rnrretrcount", "infiniband.cm.rep.srq", "infiniband.cm.rtu.localcommid",
                "infiniband.cm.rtu.remotecommid", "infiniband.cm.rej.localcommid", "infiniband.cm.rej.remotecommid",
                "infiniband.cm.rej.msgrej", "infiniband.cm.rej.reason", "infiniband.cm.dreq.localcommid",
                "infiniband.cm.dreq.remotecommid", "infiniband.cm.req.remoteqpneecn");
    }
}
