package org.jvrpc.tools.top;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jvrpc.api.Status;
import org.jvrpc.recording.json.Json;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.SessionCounters;

/** Lines as programs read them: an object, its lines in their order. Latencies are in nanoseconds. */
final class AsJson {

    private AsJson() {
    }

    /** Returns it, on one line. @param seconds between the readings */
    static String of(List<Row> rows, List<Reading.Unread> unread, double seconds) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("seconds", seconds);
        all.put("rows", rows.stream().map(AsJson::of).toList());
        List<Object> files = new ArrayList<>();
        for (Reading.Unread file : unread) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("file", file.file().toString());
            members.put("reason", file.reason().name());
            members.put("message", file.message());
            files.add(members);
        }
        all.put("unread", files);
        return Json.write(all, false);
    }

    private static Map<String, Object> of(Row row) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("pid", row.pid());
        members.put("process", row.process());
        members.put("role", row.role().name().toLowerCase(Locale.ROOT));
        members.put("address", row.address());
        if (!row.method().isEmpty()) {
            members.put("method", row.method());
        }
        members.put("calls", row.calls());
        members.put("failed", row.failed());
        members.put("callsPerSecond", row.callRate());
        members.put("failuresPerSecond", row.failureRate());
        members.put("p50Ns", row.p50Ns());
        members.put("p99Ns", row.p99Ns());
        members.put("bytesInPerSecond", row.bytesInRate());
        members.put("bytesOutPerSecond", row.bytesOutRate());
        if (row.method().isEmpty()) {
            endpoint(row, members);
        }
        return members;
    }

    private static void endpoint(Row row, Map<String, Object> members) {
        EndpointCounters endpoint = row.endpoint();
        members.put("inFlight", row.inFlight());
        members.put("waitsPerSecond", row.waitRate());
        members.put("sleepsPerSecond", row.sleepRate());
        members.put("sessionsOpened", endpoint.sessionsOpened());
        members.put("reconnects", endpoint.reconnects());
        members.put("connectsFailed", endpoint.connectsFailed());
        members.put("waits", endpoint.waits());
        members.put("sleeps", endpoint.sleeps());
        members.put("offloaded", endpoint.offloaded());
        members.put("queued", endpoint.queued());
        members.put("methods", endpoint.methods().stream().map(AsJson::of).toList());
        members.put("sessions", endpoint.sessions().stream().map(AsJson::of).toList());
    }

    private static Map<String, Object> of(MethodCounters method) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("method", Row.name(method));
        members.put("calls", method.calls());
        members.put("succeeded", method.succeeded());
        Map<String, Object> failures = new LinkedHashMap<>();
        for (Status status : Status.values()) {
            if (status != Status.OK && method.ended(status) > 0) {
                failures.put(status.name(), method.ended(status));
            }
        }
        members.put("failures", failures);
        members.put("declaredExceptions", method.thrown());
        members.put("bytesIn", method.bytesIn());
        members.put("bytesOut", method.bytesOut());
        members.put("p50Ns", method.latencies().percentileNs(50));
        members.put("p99Ns", method.latencies().percentileNs(99));
        return members;
    }

    private static Map<String, Object> of(SessionCounters session) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", Long.toHexString(session.id()));
        members.put("peer", session.peer());
        members.put("calls", session.ended());
        members.put("failed", session.failed());
        members.put("inFlight", session.inFlight());
        members.put("bytesIn", session.bytesIn());
        members.put("bytesOut", session.bytesOut());
        members.put("slots", session.slots());
        members.put("credits", session.credits());
        members.put("waits", session.waits());
        members.put("sleeps", session.sleeps());
        return members;
    }
}
