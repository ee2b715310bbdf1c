package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;

/** The command over TLS: both sides prove themselves by files, or both halves at once do without. */
final class QuickstartTlsTest extends QuickstartNetworkContract {

    private OwnCertificate certificate;

    private static String plainAddress() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "tls://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void remove() throws IOException {
        if (certificate != null) {
            certificate.close();
        }
    }

    @Override
    String newAddress() {
        try {
            certificate = OwnCertificate.forAddress(plainAddress());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        String proof = certificate.forServer();
        return proof + "&trust=" + proof.replaceFirst(".*chain=([^&]*)&.*", "$1");
    }

    @Override
    String fromClient(String address) {
        return address;
    }

    @Override
    int seconds() {
        return 1;
    }

    @Test
    @Override
    void bothHalvesRunAtAnAddress() {
        try (ChildJvm run = start("--address", plainAddress(), "--seconds", "1")) {
            run.expectEnd();
            String output = String.join("\n", run.output());
            assertEquals(List.of(), run.errors());
            assertTrue(output.contains("Every answer was checked, none was wrong."), output);
            Matcher trusted = Pattern.compile("trust=(\\S+)\\.").matcher(output);
            assertTrue(trusted.find(), output);
            assertFalse(Files.exists(Path.of(trusted.group(1)).getParent()), trusted.group(1));
        }
    }
}
