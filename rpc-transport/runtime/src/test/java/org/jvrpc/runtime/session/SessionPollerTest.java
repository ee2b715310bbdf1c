package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The length of a session's turn. */
class SessionPollerTest {

    @ParameterizedTest
    @CsvSource({"0, 32", "1, 32", "2, 16", "3, 8", "10, 2", "16, 2", "17, 2", "10000, 2"})
    void theMoreSessionsTheShorterATurn(int sessions, int messages) {
        assertEquals(messages, SessionPoller.batch(sessions));
    }
}
