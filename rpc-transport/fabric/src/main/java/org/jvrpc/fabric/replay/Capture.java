package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jvrpc.roce.capture.Frame;
import org.jvrpc.roce.capture.PcapReader;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;

/** The packets of a capture: those of the RC service that receivers would take, and how many others there are. */
public final class Capture {

    private final List<CapturedPacket> packets = new ArrayList<>();
    private final Map<String, Icrc> icrcs = new HashMap<>();
    private int frames;
    private int others;
    private int damaged;
    private int otherServices;

    private Capture() {
    }

    /**
     * Reads a capture.
     *
     * @param file from its position to its limit
     * @throws IllegalArgumentException when it is none, or is cut off within a frame
     */
    public static Capture read(ByteBuffer file) {
        Capture capture = new Capture();
        PcapReader reader = new PcapReader(file);
        Frame frame = new Frame();
        while (reader.next()) {
            capture.frames++;
            if (frame.parse(reader.frame())) {
                capture.take(frame, reader);
            } else {
                capture.others++;
            }
        }
        return capture;
    }

    private void take(Frame frame, PcapReader reader) {
        Packet packet = new Packet();
        int bth = frame.bth();
        int length = frame.length();
        if (packet.parse(reader.frame(), bth, length) != Packet.Verdict.OK) {
            damaged++;
            return;
        }
        String from = words(frame.source());
        String to = words(frame.destination());
        Icrc icrc = icrcs.computeIfAbsent(from + to, key -> new Icrc(frame.source(), frame.destination()));
        if (Icrc.read(reader.frame(), bth + length) != icrc.compute(reader.frame(), bth, length, frame.sourcePort(),
                frame.destinationPort(), frame.fragment())) {
            damaged++;
        } else if (!Opcode.isRc(packet.opcode())) {
            otherServices++;
        } else {
            packets.add(CapturedPacket.of(frames, reader.timeNs(), from, to, packet,
                    reader.frame().slice(bth, length)));
        }
    }

    private static String words(byte[] address) {
        StringJoiner words = new StringJoiner(address.length == 4 ? "." : ":");
        for (int i = 0; i < address.length; i += address.length == 4 ? 1 : 2) {
            words.add(address.length == 4 ? Integer.toString(address[i] & 0xff)
                    : Integer.toHexString((address[i] & 0xff) << 8 | address[i + 1] & 0xff));
        }
        return words.toString();
    }

    List<CapturedPacket> packets() {
        return packets;
    }

    /** Returns how many frames there are. */
    public int frames() {
        return frames;
    }

    /** Says what is in it. */
    public String summary() {
        return "frames=" + frames + " RC=" + packets.size() + " otherServices=" + otherServices
                + " damaged=" + damaged + " notRoCEv2OrCutOff=" + others;
    }
}
