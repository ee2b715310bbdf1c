package org.jvrpc.roce.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/** Packets of rxe of Linux 6.1, see {@link RxeCaptureTest}. */
public final class RxeCapture {

    private RxeCapture() {
    }

    /** Returns all frames, from Ethernet to ICRC. */
    public static List<ByteBuffer> frames() {
        try (InputStream in = RxeCapture.class.getResourceAsStream("rxe.pcap")) {
            PcapReader reader = new PcapReader(ByteBuffer.wrap(in.readAllBytes()));
            return IntStream.iterate(0, i -> reader.next(), i -> i + 1).mapToObj(i -> reader.frame()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
