package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.Pattern;

/** Frames of connection management as they come out of a socket: whole, in pieces, and not at all. */
class CmFrameTest {

    private static final int HEADER = 12;

    private static byte[] bytes(int endpointBytes, int privateBytes) {
        return CmFrame.of(CmFrame.ACCEPT, Pattern.bytes(1, endpointBytes), Pattern.bytes(2, privateBytes)).encode()
                .array();
    }

    @ParameterizedTest(name = "endpoint={0} private={1} piece={2}")
    @CsvSource({"0,0,1", "0,0,14", "40,0,7", "0,1024,64", "256,1024,1", "256,1024,12", "256,1024,2000", "40,8,52"})
    void aFrameIsReadAsItWasWrittenInWhateverPiecesItComesAndNothingBehindIt(int endpoint, int data, int piece)
            throws IOException {
        byte[] written = bytes(endpoint, data);
        BytesChannel channel = new BytesChannel(Arrays.copyOf(written, written.length + 3), piece);
        CmFrame.Reader reader = new CmFrame.Reader();
        CmFrame frame = reader.read(channel);
        for (int read = 0; frame == null; frame = reader.read(channel)) {
            assertTrue(++read <= 2 * written.length, "no frame");
        }
        assertEquals(CmFrame.ACCEPT, frame.type());
        assertEquals(CmFrame.VERSION, frame.version());
        assertArrayEquals(Pattern.bytes(1, endpoint), frame.endpoint());
        assertArrayEquals(Pattern.bytes(2, data), frame.privateData());
        assertEquals(written.length, channel.taken());
    }

    @Test
    void aFrameThatIsNotAllThereIsWaitedForUntilItsSenderEndsTheConnection() throws IOException {
        byte[] written = bytes(40, 8);
        BytesChannel channel = new BytesChannel(Arrays.copyOf(written, written.length - 1), 30);
        CmFrame.Reader reader = new CmFrame.Reader();
        for (int taken = 0; taken < written.length - 1; taken = channel.taken()) {
            assertNull(reader.read(channel));
        }
        assertThrows(EOFException.class, () -> reader.read(channel));
    }

    private static void refused(byte[] bytes, String why) {
        BytesChannel channel = new BytesChannel(Arrays.copyOf(bytes, 4096), 4096);
        IOException refusal = assertThrows(IOException.class, () -> new CmFrame.Reader().read(channel));
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
        assertTrue(channel.taken() <= bytes.length, "read " + channel.taken());
    }

    @Test
    void aHeaderThatIsNoneIsRefusedBeforeAnythingBehindItIsRead() {
        byte[] header = Arrays.copyOf(bytes(40, 8), HEADER);
        byte[] strange = header.clone();
        strange[3] ^= 1;
        refused(strange, "magic=0x6c63766a length=50");
        ByteBuffer length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        for (int bad : new int[] {0, 1, -1, CmFrame.MAX_BYTES - HEADER + 1, Integer.MAX_VALUE}) {
            length.putInt(8, bad);
            refused(header, "length=" + bad);
        }
    }

    @Test
    void anEndpointThatIsLongerThanItsFrameIsRefused() {
        byte[] frame = bytes(40, 8);
        frame[HEADER] = 49;
        refused(frame, "endpoint length=49 in a frame of length=50");
        frame[HEADER + 1] = -1;
        refused(frame, "endpoint length=65329 in a frame of length=50");
    }

    @Test
    void privateDataMayBeOfTheDevicesLimitAndNotLonger() {
        assertNotNull(CmFrame.of(CmFrame.REJECT, new byte[0], new byte[Device.MAX_PRIVATE_BYTES]));
        String refusal = assertThrows(IllegalArgumentException.class,
                () -> CmFrame.of(CmFrame.REJECT, new byte[0], new byte[Device.MAX_PRIVATE_BYTES + 1])).getMessage();
        assertTrue(refusal.contains("bytes=1025 limit=1024"), refusal);
    }

    @Test
    void aFrameThatTheSocketHasNoRoomForIsAnErrorNotAWait(@TempDir Path folder) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                SocketChannel writer = SocketChannel.open(address);
                SocketChannel reader = listener.accept()) {
            writer.configureBlocking(false);
            CmFrame frame = CmFrame.of(CmFrame.REQUEST, new byte[40], new byte[8]);
            frame.write(writer);
            assertArrayEquals(frame.encode().array(), new CmFrame.Reader().read(reader).encode().array());
            ByteBuffer much = ByteBuffer.allocate(1 << 16);
            while (writer.write(much.clear()) > 0) {
                continue;
            }
            String error = assertThrows(IOException.class, () -> frame.write(writer)).getMessage();
            assertTrue(error.contains("socket buffer is full"), error);
        }
    }
}
