package org.jvrpc.tools.selftest;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;

/** A connection by the device's connection manager: private data both ways, a message, an end, a refusal. */
final class Connecting {

    private static final long LONGEST_NS = Duration.ofSeconds(10).toNanos();
    private static final byte[] QUESTION = {1, 2, 3, 4, 5};
    private static final byte[] ANSWER = {9, 8, 7};

    private Connecting() {
    }

    static String run(String address) {
        try (Device serving = Devices.open(address); Device calling = Devices.open(address)) {
            EventChannel channel = serving.createChannel();
            Listener listener = serving.listen(address, channel);
            Side server = new Side("server QP", serving, serving.allocatePd(), null);
            server.receive(1, server.sge(0, 32));
            Side client = new Side("client QP", calling, calling.allocatePd(), null);
            EventChannel clientChannel = calling.createChannel();
            CompletableFuture<Connection> connecting = connect(calling, listener.address(), client, clientChannel);
            Connection accepted = next(listener, channel, connecting).accept(server.qp, ANSWER);
            Connection connected = get(connecting);
            expect("private data of the answer", connected.privateData(), ANSWER);
            expect("private data of the request", accepted.privateData(), QUESTION);
            client.fill(0, 32, 3);
            client.post(SendRequest.send(1, client.sge(0, 32)).signalled());
            client.sent(1, WcOpcode.SEND);
            server.received(1, 32);
            server.check("SEND over a connection", 0, 32, 3);
            connected.close();
            Side.until("notice that the peer has disconnected", () -> {
                channel.await(Duration.ofMillis(10).toNanos());
                return !accepted.isConnected();
            });
            refuse(calling, listener, channel, clientChannel);
            return "connects with private data both ways, sends, disconnects, and is refused when the server refuses";
        }
    }

    private static void refuse(Device calling, Listener listener, EventChannel channel, EventChannel clientChannel) {
        Side client = new Side("refused QP", calling, calling.allocatePd(), null);
        CompletableFuture<Connection> connecting = connect(calling, listener.address(), client, clientChannel);
        next(listener, channel, connecting).reject(ANSWER);
        try {
            get(connecting).close();
        } catch (ConnectionException e) {
            if (e.reason() == ConnectionException.Reason.REJECTED) {
                expect("private data of the refusal", e.privateData(), ANSWER);
                return;
            }
            throw e;
        }
        throw new StepFailedException("a connection that was refused came about");
    }

    private static CompletableFuture<Connection> connect(
            Device device, String address, Side side, EventChannel channel) {
        CompletableFuture<Connection> future = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                future.complete(device.connect(address, side.qp, QUESTION, channel, LONGEST_NS));
            } catch (RuntimeException e) {
                future.completeExceptionally(e);
            }
        }, "self-test-connect");
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    private static ConnectionRequest next(
            Listener listener, EventChannel channel, CompletableFuture<Connection> connecting) {
        ConnectionRequest[] found = new ConnectionRequest[1];
        Side.until("request of a connection", () -> {
            if (connecting.isCompletedExceptionally()) {
                get(connecting); // throws
            }
            channel.await(Duration.ofMillis(10).toNanos());
            found[0] = listener.poll();
            return found[0] != null;
        });
        return found[0];
    }

    private static Connection get(CompletableFuture<Connection> future) {
        try {
            return future.get(2 * LONGEST_NS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new StepFailedException("connect: " + e.getCause());
        } catch (TimeoutException e) {
            throw new StepFailedException("connect neither succeeds nor fails");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StepFailedException("interrupted");
        }
    }

    // Some connection managers carry more than was given, zeros behind it.
    private static void expect(String what, byte[] found, byte[] expected) {
        byte[] head = Arrays.copyOf(found, expected.length);
        if (found.length < expected.length || !Arrays.equals(head, expected)) {
            throw new StepFailedException(what + ": found=" + Arrays.toString(found) + " expected="
                    + Arrays.toString(expected));
        }
    }
}
