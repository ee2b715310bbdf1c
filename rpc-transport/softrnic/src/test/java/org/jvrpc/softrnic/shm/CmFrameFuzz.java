package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.VerbsException;

/**
 * Any bytes on the socket of a connection, in pieces whose length the first byte says. They are refused by an
 * {@link IOException}, or a frame that comes out again when it is written, as from bytes that come at once; nothing
 * behind it is read. Its endpoint, and any bytes as one, is refused by a {@link VerbsException} or comes out again.
 */
final class CmFrameFuzz {

    private CmFrameFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        BytesChannel pieces = new BytesChannel(bytes, 1 + (input[0] & 63));
        BytesChannel whole = new BytesChannel(bytes, bytes.length + 1);
        CmFrame frame = read(pieces);
        CmFrame same = read(whole);
        FuzzCheck.that((frame == null) == (same == null), "in pieces it is another");
        endpoint(bytes);
        if (frame == null) {
            return;
        }
        ByteBuffer encoded = frame.encode();
        FuzzCheck.that(encoded.equals(same.encode()), "in pieces it is another");
        FuzzCheck.that(encoded.remaining() == pieces.taken() && encoded.remaining() == whole.taken(),
                "bytes behind the frame are gone: " + pieces.taken());
        FuzzCheck.that(encoded.remaining() <= CmFrame.MAX_BYTES, encoded);
        bytes[7] = 0; // means nothing
        FuzzCheck.that(encoded.equals(ByteBuffer.wrap(bytes, 0, pieces.taken())), frame);
        endpoint(frame.endpoint());
        if (frame.privateData().length <= Device.MAX_PRIVATE_BYTES) {
            CmFrame.of(CmFrame.ACCEPT, frame.endpoint(), frame.privateData());
        }
    }

    /** Reads until there is a frame; null for an error or the end. */
    private static CmFrame read(BytesChannel channel) {
        CmFrame.Reader reader = new CmFrame.Reader();
        try {
            for (CmFrame frame = reader.read(channel);; frame = reader.read(channel)) {
                if (frame != null) {
                    return frame;
                }
            }
        } catch (IOException e) {
            return null;
        }
    }

    private static void endpoint(byte[] bytes) {
        ShmEndpoint endpoint;
        try {
            endpoint = ShmEndpoint.decode("connect", bytes);
        } catch (VerbsException e) {
            FuzzCheck.that(bytes.length <= Long.BYTES, "refused: bytes=" + bytes.length);
            return;
        }
        ShmEndpoint again = ShmEndpoint.decode("connect", endpoint.encode());
        FuzzCheck.that(again.address() == endpoint.address()
                && again.device().length() == endpoint.device().length(), endpoint);
    }
}
