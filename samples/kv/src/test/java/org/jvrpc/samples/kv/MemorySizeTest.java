package org.jvrpc.samples.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Sizes on the command line. */
class MemorySizeTest {

    private final MemorySize sizes = new MemorySize();

    @Test
    void unitsAreThoseOfMemory() {
        assertEquals(4096L, sizes.convert("4096"));
        assertEquals(4096L, sizes.convert("4k"));
        assertEquals(64L << 20, sizes.convert("64M"));
        assertEquals(2L << 30, sizes.convert("2g"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "-1", "1.5g", "64mb", "9999999999999"})
    void anythingElseIsRefusedByName(String text) {
        String message = assertThrows(TypeConversionException.class, () -> sizes.convert(text)).getMessage();
        assertTrue(message.contains("'" + text + "'"), message);
    }
}
