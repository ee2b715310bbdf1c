package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the two sides tell each other, and that nothing else is taken for it. */
final class LookupHelloTest {

    private static final LookupHello.Request REQUEST = new LookupHello.Request(1L << 40, 65, -7, "test/gêt");
    private static final LookupHello.Answer ANSWER = new LookupHello.Answer(4, -9, 1L << 41, 8);

    @Test
    void aRequestIsUnderstood() {
        assertEquals(REQUEST, LookupHello.Request.decode(REQUEST.encode()));
    }

    @Test
    void anAnswerIsUnderstood() {
        assertEquals(ANSWER, LookupHello.Answer.decode(ANSWER.encode()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7}) // of the magic, of the version
    void whatBeginsOtherwiseIsNone(int at) {
        byte[] request = REQUEST.encode();
        byte[] answer = ANSWER.encode();
        request[at]++;
        answer[at]++;
        assertNull(LookupHello.Request.decode(request));
        assertNull(LookupHello.Answer.decode(answer));
    }

    @Test
    void whatEndsTooEarlyIsNone() {
        byte[] request = REQUEST.encode();
        byte[] answer = ANSWER.encode();
        assertNull(LookupHello.Request.decode(Arrays.copyOf(request, request.length - 1)));
        assertNull(LookupHello.Answer.decode(Arrays.copyOf(answer, answer.length - 1)));
    }

    @Test
    void aRequestWhoseMemoryHasNoRoomForAnAnswerIsNone() {
        assertNull(LookupHello.Request.decode(new LookupHello.Request(1, LookupHello.ANSWER, 1, "x").encode()));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 5})
    void anAnswerOfAProgramThatThereIsNotIsNone(int kind) {
        assertNull(LookupHello.Answer.decode(new LookupHello.Answer(kind, 1, 2, 3).encode()));
    }
}
