package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;

/**
 * Any bytes by which a peer connects to a listener. It is refused, and hears so where it asked for something, or is
 * offered once; who accepts it has a connection or a {@link ConnectionException}; the next good peer is connected. No
 * descriptor, mapping or file stays.
 *
 * <p>The first byte says what the listener's side and the peer do, the second what an aimed request points to, and how
 * many bytes at the end of the input come behind the answer: {@code name:2 | address:2 | bytes:4}.
 */
public final class ShmHandshakeFuzz {

    private static final int ACCEPTS = 1;
    private static final int ELSEWHERE = 2;
    private static final int GONE = 4;
    /** What follows is made a request, with an endpoint that means something. */
    private static final int AIMED = 8;
    private static final int SILENT = 16;
    private static final int HEADER = 2;
    private static final long SILENCE_NS = 6_000_000_000L;
    private static final int LIFE = 10_000;
    private static final int LOOK = 500;
    private static final int WARM = 50;
    private static final String NAME = "fuzzed";
    private static final String FORGED = "d-1-f";
    private static final byte[] WORD = "a word".getBytes(StandardCharsets.US_ASCII);
    /** The device takes pieces from one slab or another; a fuzzer opens files as it likes. */
    private static final Holdings ROOM = new Holdings(3, 8, 50, 4);

    private static Side server;
    private static Side client;
    private static EventChannel channel;
    private static EventChannel other;
    private static Listener listener;
    private static UnixDomainSocketAddress socket;
    private static QueuePair target;
    private static Holdings before;
    private static long nowNs;
    private static int age;

    private ShmHandshakeFuzz() {
    }

    /** A device and what QPs are made with. */
    private static final class Side {

        private final Device device = ShmUnderTest.open(() -> nowNs);
        private final ProtectionDomain pd = device.allocatePd();
        private final CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(64));

        QueuePair qp() {
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(4, 4));
            qp.init();
            return qp;
        }
    }

    public static void fuzzerInitialize() {
        System.setProperty("org.slf4j.simpleLogger.log." + ShmHandshake.class.getName(), "off");
        System.setProperty("org.slf4j.simpleLogger.log." + DeviceFolder.class.getName(), "off");
        server = new Side();
        client = new Side();
        channel = server.device.createChannel();
        other = server.device.createChannel();
        listener = server.device.listen("shm://" + NAME, channel);
        socket = UnixDomainSocketAddress.of(ShmDirectory.socket(SharedMemoryFolder.path(), NAME));
        target = client.qp();
        for (int i = 0; i < WARM; i++) {
            connectWell();
        }
        before = Holdings.settled();
        age = 0;
    }

    public static void fuzzerTearDown() {
        look();
        client.device.close();
        server.device.close();
    }

    private static void look() {
        if (!Holdings.now().isWithin(before.plus(ROOM))) {
            Holdings now = Holdings.settled();
            FuzzCheck.that(now.isWithin(before.plus(ROOM)), now + " before: " + before);
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length < HEADER) {
            return;
        }
        int posts = Math.min(input[1] & 0xf, input.length - HEADER);
        byte[] said = Arrays.copyOfRange(input, HEADER, input.length - posts);
        byte[] posted = Arrays.copyOfRange(input, input.length - posts, input.length);
        QueuePair qp = (input[0] & ACCEPTS) != 0 ? server.qp() : null;
        if ((input[0] & AIMED) != 0) {
            said = request(said, input[1], qp);
        }
        meet(said, posted, input[0], qp);
        boolean used = qp != null && (input[0] & AIMED) != 0 && (input[1] >> 6 & 3) == 2;
        FuzzCheck.that(!used || !Files.exists(SharedMemoryFolder.path().resolve(FORGED)),
                "memory that nobody uses is not returned");
        if (qp != null || age % (LOOK / 10) == 0) {
            connectWell();
        }
        if (++age % LOOK == 0) {
            look();
        }
        if (age % LIFE == 0) {
            fuzzerTearDown();
            fuzzerInitialize();
        }
    }

    // ---- what the peer says

    /** Makes a request whose address and name are such as a liar would think of; what is left is private data. */
    private static byte[] request(byte[] rest, int aim, QueuePair own) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(rest, Math.max(rest.length, Long.BYTES)))
                .order(ByteOrder.LITTLE_ENDIAN);
        long number = in.getLong();
        long address = switch (aim >> 4 & 3) {
            case 0 -> address(target);
            case 1 -> address(target) + (short) number;
            case 2 -> own == null ? 0 : address(own);
            default -> number;
        };
        String name = switch (aim >> 6 & 3) {
            case 0 -> client.device.name();
            case 1 -> server.device.name();
            case 2 -> forged(number);
            default -> new String(in.array(), in.position(), Math.min(in.remaining(), 40), StandardCharsets.US_ASCII);
        };
        byte[] data = Arrays.copyOfRange(in.array(), in.position(), Math.min(in.limit(), in.position() + 56));
        return CmFrame.of(CmFrame.REQUEST, new ShmEndpoint(address, name).encode(), data).encode().array();
    }

    private static long address(QueuePair qp) {
        return ShmEndpoint.decode("test", qp.endpoint()).address();
    }

    /** Makes a folder that looks like a device's, with a slab that begins like one and ends where a number says. */
    private static String forged(long number) throws IOException {
        Path folder = SharedMemoryFolder.path().resolve(FORGED);
        if (!Files.exists(folder)) {
            Files.createDirectory(folder, ShmDirectory.OWNER_ONLY);
            Files.createFile(folder.resolve("lock"));
            int bytes = (int) (number >>> 48 & 0x1fff);
            byte[] slab = new byte[bytes];
            try (var in = Files.newInputStream(SharedMemoryFolder.path().resolve(client.device.name()).resolve("0"))) {
                in.readNBytes(slab, 0, bytes);
            }
            Files.write(folder.resolve("0"), slab);
        }
        return FORGED;
    }

    /** Returns the frame that bytes begin with; null for the beginning of one, and for what is none. */
    private static CmFrame frame(byte[] bytes) {
        try {
            return new CmFrame.Reader().read(new BytesChannel(bytes, bytes.length + 1));
        } catch (IOException e) {
            return null;
        }
    }

    // ---- what becomes of it

    private static void meet(byte[] said, byte[] posted, int how, QueuePair qp) throws IOException {
        try (SocketChannel peer = SocketChannel.open(socket)) {
            peer.configureBlocking(false);
            say(peer, said, 1 << (how >> 5 & 7) * 2);
            ConnectionRequest request = listener.poll();
            CmFrame frame = said.length == 0 ? null : frame(said);
            boolean asks = frame != null && frame.version() == CmFrame.VERSION && frame.type() == CmFrame.REQUEST;
            FuzzCheck.that(asks == (request != null), "offered: " + (request != null) + " is a request: " + asks);
            FuzzCheck.that(listener.poll() == null, "it is offered twice");
            if (asks) {
                FuzzCheck.that(Arrays.equals(frame.privateData(), request.privateData()), "private data");
                answer(request, peer, posted, how, qp);
            } else {
                hear(peer, frame, how);
            }
        } finally {
            settle();
            if (qp != null) {
                qp.close();
            }
        }
    }

    private static void say(SocketChannel peer, byte[] bytes, int pieceBytes) {
        channel.await(0); // it is accepted
        try {
            for (int at = 0; at < bytes.length; at += pieceBytes) {
                peer.write(ByteBuffer.wrap(bytes, at, Math.min(pieceBytes, bytes.length - at)));
                channel.await(0);
            }
        } catch (IOException e) {
            return; // it is refused already
        }
    }

    private static void settle() {
        channel.await(0);
        other.await(0);
        channel.await(0); // what was closed leaves the selector
        other.await(0);
    }

    /** Returns the answer; null when the socket is closed without one. */
    private static CmFrame heard(SocketChannel peer) {
        try {
            CmFrame answer = new CmFrame.Reader().read(peer);
            FuzzCheck.that(answer != null, "no answer, and the socket is open");
            return answer;
        } catch (IOException e) {
            return null;
        }
    }

    private static void hear(SocketChannel peer, CmFrame frame, int how) throws IOException {
        if ((how & SILENT) != 0) {
            nowNs += SILENCE_NS;
        } else {
            peer.shutdownOutput();
        }
        settle();
        CmFrame answer = heard(peer);
        if (frame != null) {
            refused(answer);
        } else {
            FuzzCheck.that(answer == null, answer);
        }
    }

    private static void refused(CmFrame answer) {
        FuzzCheck.that(answer != null && answer.type() == CmFrame.REJECT && answer.privateData().length > 0, answer);
    }

    private static void answer(ConnectionRequest request, SocketChannel peer, byte[] posted, int how, QueuePair qp)
            throws IOException {
        boolean gone = (how & GONE) != 0;
        request.peer();
        if (gone) {
            peer.close();
        }
        if (qp == null) {
            request.reject(WORD);
            if (!gone) {
                CmFrame answer = heard(peer);
                refused(answer);
                FuzzCheck.that(Arrays.equals(WORD, answer.privateData()), "private data");
            }
        } else {
            accept(request, peer, posted, (how & ELSEWHERE) != 0 ? other : channel, qp);
        }
        try {
            request.reject(WORD);
            FuzzCheck.that(false, "it is answered twice");
        } catch (IllegalStateException e) {
            return;
        }
    }

    private static void accept(
            ConnectionRequest request, SocketChannel peer, byte[] posted, EventChannel watcher, QueuePair qp)
            throws IOException {
        try (Connection connection = request.accept(qp, WORD, watcher)) {
            if (!peer.isOpen()) {
                return;
            }
            CmFrame answer = heard(peer);
            FuzzCheck.that(answer != null && answer.type() == CmFrame.ACCEPT, answer);
            if (posted.length > 0) {
                peer.write(ByteBuffer.wrap(posted));
            }
            settle();
            boolean bye = new String(posted, StandardCharsets.ISO_8859_1).indexOf(CmFrame.BYE) >= 0;
            FuzzCheck.that(!bye || !connection.isConnected(), "it did not hear that the peer is gone");
        } catch (ConnectionException e) {
            if (peer.isOpen() && e.reason() == ConnectionException.Reason.LOCAL) {
                refused(heard(peer));
            }
        } finally {
            renewTarget(); // it may be taken
        }
    }

    private static void renewTarget() {
        target.close();
        target = client.qp();
    }

    private static void connectWell() {
        QueuePair qp = server.qp();
        try (SocketChannel peer = SocketChannel.open(socket)) {
            peer.configureBlocking(false);
            say(peer, CmFrame.of(CmFrame.REQUEST, target.endpoint(), WORD).encode().array(), CmFrame.MAX_BYTES);
            ConnectionRequest request = listener.poll();
            FuzzCheck.that(request != null, "a good peer is not offered");
            try (Connection connection = request.accept(qp, WORD)) {
                CmFrame answer = heard(peer);
                FuzzCheck.that(connection.isConnected() && Arrays.equals(qp.endpoint(), answer.endpoint())
                        && Arrays.equals(WORD, answer.privateData()), answer);
                peer.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
                settle();
                FuzzCheck.that(!connection.isConnected(), "it did not hear that the peer is gone");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            settle();
            qp.close();
            renewTarget();
        }
    }
}
