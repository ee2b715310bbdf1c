package org.jvrpc.router.control.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnsembleFolderTest {

    @TempDir
    private Path folder;

    @Test
    void anotherAddressNeedsAnotherCertificate() throws Exception {
        InetAddress other = InetAddress.getByName("10.78.0.1");
        EnsembleFolder files = EnsembleFolder.open(folder.resolve("e"), List.of("h1"));
        IOException e = assertThrows(IOException.class,
                () -> EnsembleFolder.open(folder.resolve("e"), List.of("h1"), other));
        assertTrue(e.getMessage().contains("is not for address=10.78.0.1"), e.getMessage());
        Files.delete(files.trustFile());
        EnsembleFolder.open(folder.resolve("e"), List.of("h1"), other);
        byte[] made = Files.readAllBytes(files.trustFile());
        EnsembleFolder.open(folder.resolve("e"), List.of("h1"));
        assertArrayEquals(made, Files.readAllBytes(files.trustFile()), "it was made anew for what it has");
    }
}
