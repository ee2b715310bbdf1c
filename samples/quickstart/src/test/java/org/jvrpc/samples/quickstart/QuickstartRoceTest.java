package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;

/** The command over UDP. */
final class QuickstartRoceTest extends QuickstartNetworkContract {

    @Override
    String newAddress() {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0))) {
            return "roce://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    String fromClient(String address) {
        return address + "?from=127.0.0.2";
    }

    @Override
    int seconds() {
        return 1;
    }

    private static String line(ChildJvm program, String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        String line = program.line();
        while (line != null && !wanted.matcher(line).find()) {
            line = program.line();
        }
        assertTrue(line != null, () -> "no line with " + pattern);
        return line;
    }

    @Test
    void aClientGoesOnWhenItsKilledServerIsStartedAnewAtThePort() {
        String address = newAddress();
        try (ChildJvm first = start("server", "--address", address)) {
            first.line();
            try (ChildJvm client = start("client", "--address", address, "--seconds", "600")) {
                client.line();
                first.kill();
                line(client, "no connection");
                try (ChildJvm second = start("server", "--address", address)) {
                    second.line();
                    line(client, "errors [0-9,]+$");
                    client.terminate();
                    line(client, "none was wrong");
                    second.terminate();
                    assertEquals(0, second.exitStatus());
                }
            }
        }
    }

    @Test
    void aSecondServerAtThePortSaysThatItIsInUse() {
        String address = newAddress();
        try (ChildJvm first = start("server", "--address", address)) {
            first.line();
            try (ChildJvm second = start("server", "--address", address)) {
                assertEquals(1, second.exitStatus());
                String errors = String.join("\n", second.errors());
                assertTrue(errors.contains(address) && errors.contains("in use"), errors);
            }
        }
    }
}
