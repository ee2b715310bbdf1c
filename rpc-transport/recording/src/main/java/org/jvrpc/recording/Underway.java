package org.jvrpc.recording;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.recording.dynamic.DynamicMethod;
import org.jvrpc.recording.json.Json;

/** A call that is recorded and has not ended. Many threads; its end is written once. */
final class Underway {

    private final Recorder recorder;
    private final int number;
    private final long atNs;
    private final DynamicMethod method;
    private final DynamicMethod.Given given;
    private final List<Object> elements;
    private final List<Object> answers;
    private long bytes;
    private boolean ended;

    Underway(Recorder recorder, DynamicMethod method, DynamicMethod.Given given) {
        this.recorder = recorder;
        this.number = recorder.begin();
        this.atNs = recorder.nowNs();
        this.method = method;
        this.given = given;
        this.elements = method.descriptor().streams().argument() ? new ArrayList<>() : null;
        this.answers = method.descriptor().streams().result() ? new ArrayList<>() : null;
    }

    /** An element of the stream among the arguments came. */
    synchronized void sent(Object element) {
        keep(elements, element);
    }

    /** An element of the stream that is the answer came. */
    synchronized void came(Object element) {
        keep(answers, element);
    }

    /** Streams have no end: what is longer than a call may be is let go. */
    private void keep(List<Object> list, Object element) {
        bytes += Json.write(element, false).length();
        if (bytes <= Recorder.MOST_CALL_BYTES) {
            list.add(element);
        }
    }

    /** @param answer null where it is a stream, or there is none */
    void answered(Object answer) {
        Map<String, Object> outcome = new LinkedHashMap<>();
        if (answers == null && !method.descriptor().oneWay()) {
            outcome.put(RecordedCall.ANSWER, answer);
        }
        end(outcome);
    }

    void failed(Throwable thrown) {
        end(RecordedCall.failure(thrown));
    }

    private synchronized void end(Map<String, Object> outcome) {
        if (ended) {
            return;
        }
        ended = true;
        if (bytes > Recorder.MOST_CALL_BYTES) {
            recorder.leaveOut();
            return;
        }
        if (answers != null) {
            outcome.put(RecordedCall.ANSWERS, answers);
        }
        recorder.write(new RecordedCall(number, atNs, recorder.nowNs() - atNs, method.descriptor().service(),
                method.schema().key(), given.values(), given.room(), elements, outcome));
    }
}
