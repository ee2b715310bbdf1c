package org.jvrpc.softrnic.shm;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.VerbsException;

/** The active side of connection set-up. Blocks its caller, within a time limit. */
public final class ShmConnector {

    private static final long RETRY_NS = 1_000_000;
    /** So often the answer is looked for before a selector is made for it, where that takes no longer than so long. */
    private static final int LOOKS = 100;
    private static final long LOOK_NS = 300_000;

    private ShmConnector() {
    }

    /** @param meanwhile done while the listener is waited for */
    public static ShmConnection connect(
            ShmNode node,
            String name,
            ShmPort port,
            byte[] privateData,
            ShmChannel channel,
            long timeoutNs,
            Runnable meanwhile) {
        CmFrame request = CmFrame.of(CmFrame.REQUEST, port.qp().driver().endpoint(), privateData);
        LongSupplier clock = node.clock();
        long startNs = clock.getAsLong();
        SocketChannel socket = null;
        ShmConnection connection = null;
        try {
            Path path = ShmDirectory.socket(node.folder().getParent(), name);
            socket = open(path, name, clock, startNs, timeoutNs);
            request.write(socket);
            meanwhile.run();
            CmFrame answer = await(socket, name, clock, startNs, timeoutNs);
            check(answer, name);
            connection = ShmConnection.establish(node, port, socket, channel, answer);
            connection.watch();
            return connection;
        } catch (IOException e) {
            if (connection != null) {
                connection.lost();
            }
            abandon(port, socket);
            throw new ConnectionException(Reason.UNREACHABLE, "shm://" + name + ": " + e, e);
        } catch (VerbsException e) {
            abandon(port, socket);
            throw e instanceof ConnectionException
                    ? e
                    : new ConnectionException(Reason.LOCAL, "shm://" + name + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) { // of what is done meanwhile
            if (connection != null) {
                connection.lost();
            }
            abandon(port, socket);
            throw e;
        }
    }

    private static void abandon(ShmPort port, SocketChannel socket) {
        port.qp().error();
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new VerbsException("connect", "closing a socket: " + e, e);
            }
        }
    }

    private static SocketChannel open(Path path, String name, LongSupplier clock, long startNs, long timeoutNs)
            throws IOException {
        while (true) {
            SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                socket.configureBlocking(false);
                socket.connect(UnixDomainSocketAddress.of(path));
                return socket;
            } catch (IOException e) {
                socket.close();
                boolean backlogFull = Files.exists(path) && !String.valueOf(e.getMessage()).contains("refused");
                if (!backlogFull) {
                    throw new ConnectionException(
                            Reason.UNREACHABLE, "nobody listens at shm://" + name + " (" + path + ")", e);
                }
                if (clock.getAsLong() - startNs > timeoutNs) {
                    throw new ConnectionException(Reason.TIMEOUT, "shm://" + name + " does not accept: " + e, e);
                }
                LockSupport.parkNanos(RETRY_NS); // the listener's backlog is full
            }
        }
    }

    private static CmFrame await(
            SocketChannel socket, String name, LongSupplier clock, long startNs, long timeoutNs) throws IOException {
        CmFrame.Reader reader = new CmFrame.Reader();
        try {
            long firstNs = startNs;
            long nowNs = startNs;
            for (int i = 0; i < LOOKS && nowNs - firstNs < LOOK_NS; i++) {
                CmFrame answer = reader.read(socket);
                if (answer != null) {
                    return answer;
                }
                Thread.yield();
                nowNs = clock.getAsLong();
                left(name, nowNs - startNs, timeoutNs);
                firstNs = i == 0 ? nowNs : firstNs;
            }
            return sleep(reader, socket, name, clock, startNs, timeoutNs);
        } catch (EOFException e) {
            throw new ConnectionException(
                    Reason.UNREACHABLE, "the listener of shm://" + name + " closed without an answer", e);
        }
    }

    private static CmFrame sleep(
            CmFrame.Reader reader,
            SocketChannel socket,
            String name,
            LongSupplier clock,
            long startNs,
            long timeoutNs) throws IOException {
        try (Selector selector = Selector.open()) {
            socket.register(selector, SelectionKey.OP_READ);
            while (true) {
                CmFrame answer = reader.read(socket);
                if (answer != null) {
                    return answer;
                }
                long leftNs = left(name, clock.getAsLong() - startNs, timeoutNs);
                selector.select(ready -> { }, (leftNs + 999_999) / 1_000_000);
            }
        }
    }

    /** Returns how much of the time is left. @throws ConnectionException when it is over */
    private static long left(String name, long elapsedNs, long timeoutNs) {
        if (elapsedNs >= timeoutNs) {
            throw new ConnectionException(Reason.TIMEOUT, "shm://" + name + " did not answer in "
                    + timeoutNs / 1_000_000 + " ms", null);
        }
        return timeoutNs - elapsedNs;
    }

    private static void check(CmFrame answer, String name) {
        if (answer.version() != CmFrame.VERSION) {
            throw new ConnectionException(Reason.VERSION, "shm://" + name + " speaks version=" + answer.version()
                    + " of connection management, this side version=" + CmFrame.VERSION, null);
        }
        if (answer.type() != CmFrame.ACCEPT) {
            throw new ConnectionException(
                    Reason.REJECTED, "shm://" + name + " refused", answer.privateData(), null);
        }
    }
}
