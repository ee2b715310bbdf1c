package org.jvrpc.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.recording.json.Json;

/** Where two values differ. */
class JsonDiffTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "{\"a\":1,\"b\":2}|{\"b\":2,\"a\":1}|-|[]",
        "{\"a\":1}|{\"a\":2}|-|[a: 1 -> 2]",
        "{\"a\":[1,2]}|{\"a\":[1,3,4]}|-|[a[1]: 2 -> 3, a[2]: new: 4]",
        "{\"a\":1,\"b\":null}|{\"a\":1}|-|[b: gone: null]",
        "{\"a\":{\"at\":1,\"b\":1}}|{\"a\":{\"at\":2,\"b\":2}}|a.at|[a.b: 1 -> 2]",
        "{\"a\":[{\"x\":1,\"y\":1}]}|{\"a\":[{\"x\":2,\"y\":2}]}|a[*].x|[a[0].y: 1 -> 2]",
        "{\"a\":[{\"x\":1}]}|{\"a\":[{\"x\":2}]}|a|[]",
        "{\"a\":1}|{}|a|[]",
        "1|\"1\"|-|[: 1 -> \"1\"]"})
    void differencesAreToldByTheirPlace(String before, String now, String ignored, String expected) {
        List<String> paths = ignored == null ? List.of() : List.of(ignored);
        assertEquals(expected, JsonDiff.of("", Json.read(before), Json.read(now), paths).toString());
    }
}
