package org.jvrpc.softrnic;

import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;

/** A process that has no descriptor left for those who connect to it, and counts what it says of that. */
final class StarvedListener {

    private static final int AWAITS = 2000;
    private static final int CLIENTS = 8;

    private final EventChannel channel;
    private final Path socket;
    private final AtomicInteger warnings = new AtomicInteger();

    StarvedListener(Device device, String address) {
        channel = device.createChannel();
        device.listen(address, channel);
        socket = ShmDirectory.socket(SharedMemoryFolder.path(), address.substring("shm://".length()));
    }

    void run() throws IOException {
        PrintStream err = System.err;
        System.setErr(new PrintStream(err) {
            @Override
            public void println(String line) {
                if (line.contains("accepting at")) {
                    warnings.incrementAndGet();
                }
                super.println(line);
            }
        });
        Parent.say("LISTENING");
        Deque<AutoCloseable> held = new ArrayDeque<>();
        refused(); // classes are files, too: all that accepting needs are loaded now
        Deque<SocketChannel> clients = new ArrayDeque<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.push(SocketChannel.open(StandardProtocolFamily.UNIX));
        }
        try {
            while (true) {
                held.push(Files.newInputStream(Path.of("/dev/null")));
            }
        } catch (IOException e) {
            Parent.say("FULL " + e);
        }
        for (SocketChannel client : clients) { // in the backlog: few are accepted, for files that the JVM has closed
            client.connect(UnixDomainSocketAddress.of(socket));
        }
        long startNs = System.nanoTime();
        int rounds = 0;
        while (rounds < AWAITS && System.nanoTime() - startNs < 1_000_000_000L) {
            channel.await(5_000_000);
            rounds++;
        }
        Parent.say("STARVED " + rounds);
        Parent.say("WARNINGS " + warnings.get());
        close(held);
        close(clients);
        refused();
        Parent.say("ACCEPTED");
    }

    /** Connects and sends what is no frame: an accepting side closes the socket. */
    private void refused() throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            client.configureBlocking(false);
            client.write(ByteBuffer.wrap(new byte[64]));
            while (!isClosed(client)) {
                channel.await(5_000_000);
            }
        }
    }

    private static boolean isClosed(SocketChannel client) {
        try {
            return client.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true; // closed before it had read all
        }
    }

    private static void close(Deque<? extends AutoCloseable> held) throws IOException {
        for (AutoCloseable file : held) {
            try {
                file.close();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
