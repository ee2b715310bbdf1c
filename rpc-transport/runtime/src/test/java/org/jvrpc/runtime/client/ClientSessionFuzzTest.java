package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The kept inputs answer the calls that they were made to answer: one that answers none checks nothing. Not among them
 * are those that open a service, as the slot that does it is one of the thread's.
 */
class ClientSessionFuzzTest {

    @BeforeAll
    static void begin() {
        ClientSessionFuzz.fuzzerInitialize();
    }

    @AfterAll
    static void end() {
        ClientSessionFuzz.fuzzerTearDown();
    }

    /** @param calls how many are answered at least */
    @ParameterizedTest
    @CsvSource({"async, 4", "cancelled, 4", "failed, 4", "go-away, 2", "late, 3", "long, 5", "longest, 4",
        "several, 5", "several-wrong, 1", "sync, 3", "sync-others, 4", "twice, 2"})
    void theCallsOfAKeptInputAreAnswered(String name, int calls) throws IOException {
        byte[] input;
        try (InputStream in = ClientSessionFuzzTest.class.getResourceAsStream("/fuzz/ClientSessionFuzz/" + name)) {
            input = in.readAllBytes();
        }
        int before = ClientSessionFuzz.answered;
        ClientSessionFuzz.fuzzerTestOneInput(input);
        int answered = ClientSessionFuzz.answered - before;
        assertTrue(answered >= calls, "calls that were answered: " + answered);
    }
}
