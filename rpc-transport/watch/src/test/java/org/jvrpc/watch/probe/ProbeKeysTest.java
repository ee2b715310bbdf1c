package org.jvrpc.watch.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeKeysTest {

    private static final String SECRET = "00112233445566778899aabbccddeeff";

    @TempDir
    private Path folder;

    private ProbeKeys read(String text) throws IOException {
        return ProbeKeys.read(Files.writeString(folder.resolve("keys"), text));
    }

    @Test
    void aFileHasOneOrTwoKeysAndTheFirstIsWrittenBy() throws IOException {
        ProbeKeys keys = read("# of the mesh\n\n 2 : " + SECRET + "\r\n1:" + SECRET + SECRET + "\n");
        assertEquals(2, keys.count());
        assertEquals(2, keys.id(0));
        assertEquals(1, keys.id(1));
        assertEquals(32, keys.key(1).length);
    }

    @ParameterizedTest
    @CsvSource({"'',one or 2 keys", "x,line 1", "'# a\n1:zz',line 2", "1:0011,has 2", "70000:" + SECRET + ",id=70000",
        "'1:" + SECRET + "\n1:" + SECRET + "',two keys have id=1",
        "'1:" + SECRET + "\n2:" + SECRET + "\n3:" + SECRET + "',there are 3"})
    void aBadFileIsRefusedByLineAndNeverShowsAKey(String text, String wanted) {
        IOException e = assertThrows(IOException.class, () -> read(text));
        assertTrue(e.getMessage().contains(wanted), e::getMessage);
        assertFalse(e.getMessage().contains(SECRET), e::getMessage);
    }

    @Test
    void aFileThatIsFarTooLongIsNotRead() {
        IOException e = assertThrows(IOException.class, () -> read("#".repeat(5000)));
        assertTrue(e.getMessage().contains("5000 bytes"), e::getMessage);
    }
}
