package org.jvrpc.recording;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.recording.dynamic.DeclaredException;

/**
 * A call and how it ended.
 *
 * @param number from 1, in the order in which calls came
 * @param atNs when it came, in nanoseconds since the recording began
 * @param tookNs how long it took
 * @param service name on the wire
 * @param method name and parameter types, {@code find(long)}
 * @param arguments as JSON, but for streams and buffers that are filled
 * @param room of the buffer that is filled, in bytes; 0 without one
 * @param elements of the stream among the arguments; null without one
 * @param outcome as JSON: {@code answer}, or {@code answers} of a stream, and {@code exception} or {@code failed};
 *     empty of a call without an answer
 */
public record RecordedCall(
        int number,
        long atNs,
        long tookNs,
        String service,
        String method,
        List<Object> arguments,
        int room,
        List<Object> elements,
        Map<String, Object> outcome) {

    static final String ANSWER = "answer";
    static final String ANSWERS = "answers";
    static final String EXCEPTION = "exception";
    static final String FAILED = "failed";

    /** Returns {@code service/method}, as {@code jvrpc call} takes it. */
    public String fullName() {
        return service + "/" + method;
    }

    /** Returns what a failure is as a member of an outcome. */
    static Map<String, Object> failure(Throwable thrown) {
        DeclaredException declared = declared(thrown);
        Map<String, Object> members = new LinkedHashMap<>();
        if (declared != null) {
            members.put(EXCEPTION, declared.asJson());
            return members;
        }
        Map<String, Object> failed = new LinkedHashMap<>();
        failed.put("status", thrown instanceof RpcException rpc ? rpc.status().name() : "UNKNOWN");
        failed.put("message", thrown instanceof RpcException ? thrown.getMessage() : thrown.toString());
        members.put(FAILED, failed);
        return members;
    }

    /** Returns the declared exception among the causes of a failure, or null. */
    static DeclaredException declared(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof DeclaredException declared) {
                return declared;
            }
        }
        return null;
    }

    Map<String, Object> asJson() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("call", number);
        members.put("at", atNs);
        members.put("took", tookNs);
        members.put("service", service);
        members.put("method", method);
        members.put("arguments", arguments);
        if (room > 0) {
            members.put("room", room);
        }
        if (elements != null) {
            members.put("elements", elements);
        }
        members.putAll(outcome);
        return members;
    }

    /** @throws IllegalArgumentException when a member is missing, or is something else */
    static RecordedCall of(Map<?, ?> members) {
        Map<String, Object> outcome = new LinkedHashMap<>();
        for (String name : List.of(ANSWER, ANSWERS, EXCEPTION, FAILED)) {
            if (members.containsKey(name)) {
                outcome.put(name, members.get(name));
            }
        }
        return new RecordedCall(number(members, "call").intValue(), number(members, "at").longValue(),
                number(members, "took").longValue(), text(members, "service"), text(members, "method"),
                list(members, "arguments"), members.containsKey("room") ? number(members, "room").intValue() : 0,
                members.containsKey("elements") ? list(members, "elements") : null, outcome);
    }

    private static Number number(Map<?, ?> members, String name) {
        if (members.get(name) instanceof Number number) {
            return number;
        }
        throw new IllegalArgumentException("no number \"" + name + "\"");
    }

    private static String text(Map<?, ?> members, String name) {
        if (members.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no string \"" + name + "\"");
    }

    private static List<Object> list(Map<?, ?> members, String name) {
        if (members.get(name) instanceof List<?> list) {
            return new ArrayList<>(list);
        }
        throw new IllegalArgumentException("no array \"" + name + "\"");
    }
}
