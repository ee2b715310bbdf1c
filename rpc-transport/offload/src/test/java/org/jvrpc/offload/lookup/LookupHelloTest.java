package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.wr.LapIndex;

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

    @Test
    void anAnswerNamesTheIndicesThatRequestsBring() {
        LookupHello.Answer answer =
                new LookupHello.Answer(0, 1, 2, 1, List.of(new LapIndex(1, 1), new LapIndex(-32, 16)));
        assertEquals(answer, LookupHello.Answer.decode(answer.encode()));
        byte[] early = answer.encode();
        assertNull(LookupHello.Answer.decode(Arrays.copyOf(early, early.length - 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, LookupHello.MAX_INDICES + 1})
    void anAnswerOfSoManyIndicesIsNone(int count) {
        byte[] answer = new LookupHello.Answer(0, 1, 2, 1).encode();
        ByteBuffer bytes = ByteBuffer.allocate(answer.length + 8 * (LookupHello.MAX_INDICES + 1)).put(answer);
        assertNull(LookupHello.Answer.decode(bytes.putInt(answer.length - 4, count).array()));
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
