package org.jvrpc.recording;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.recording.json.Json;
import org.jvrpc.recording.json.MisfitException;

/**
 * What a file of {@link Recorder} says. Immutable.
 *
 * @param address where the server was
 * @param services those whose calls were recorded
 * @param calls in the order in which they came
 * @param left how many calls did not fit; -1 where the file is cut
 */
public record Recording(String address, List<ServiceSchema> services, List<RecordedCall> calls, long left) {

    private static final long MOST_BYTES = 1L << 30;

    public Recording {
        services = List.copyOf(services);
        calls = List.copyOf(calls);
    }

    /**
     * Reads a file.
     *
     * @param acceptCut true to take the whole calls of a file whose recorder was killed
     * @throws RecordingException when it is no recording, one of another version, cut, or damaged
     * @throws IOException when it cannot be read
     */
    public static Recording read(Path path, boolean acceptCut) throws IOException {
        long bytes = Files.size(path);
        if (bytes > MOST_BYTES) {
            throw new RecordingException(path + " is too long: bytes=" + bytes + " limit=" + MOST_BYTES);
        }
        String text = Files.readString(path, StandardCharsets.UTF_8);
        boolean endsInLine = !text.isEmpty() && !text.endsWith("\n");
        List<String> lines = new ArrayList<>(text.lines().toList());
        Map<?, ?> head = head(path, lines);
        if (endsInLine) {
            lines.remove(lines.size() - 1);
        }
        return read(path, head, lines, acceptCut);
    }

    private static Map<?, ?> head(Path path, List<String> lines) throws RecordingException {
        Map<?, ?> head = lines.isEmpty() ? Map.of() : object(lines.get(0));
        Object version = head.get(Recorder.MARK);
        if (version == null) {
            throw new RecordingException(path + " is no recording: its first line has no \"" + Recorder.MARK + "\"");
        }
        if (!(version instanceof Number number) || number.intValue() != Recorder.VERSION) {
            throw new RecordingException(path + " is a recording of version " + version + ": version "
                    + Recorder.VERSION + " is read here");
        }
        return head;
    }

    /** Returns what a line says; nothing where it is no object. */
    private static Map<?, ?> object(String line) {
        try {
            return Json.read(line) instanceof Map<?, ?> members ? members : Map.of();
        } catch (MisfitException e) {
            return Map.of();
        }
    }

    private static Recording read(Path path, Map<?, ?> head, List<String> lines, boolean acceptCut)
            throws RecordingException {
        List<RecordedCall> calls = new ArrayList<>();
        Map<?, ?> end = null;
        for (int i = 1; i < lines.size(); i++) {
            Map<?, ?> members = object(lines.get(i));
            try {
                if (end != null) {
                    throw new IllegalArgumentException("something stands behind the end");
                }
                if (members.containsKey("end")) {
                    end = members;
                } else {
                    calls.add(RecordedCall.of(members));
                }
            } catch (IllegalArgumentException e) {
                throw new RecordingException(path + ":" + (i + 1) + " is damaged: " + e.getMessage());
            }
        }
        if (end == null && !acceptCut) {
            throw new RecordingException(path + " is cut: its recorder was killed, or still runs. It has "
                    + calls.size() + " whole calls, which are taken where a cut file is accepted");
        }
        if (end != null && !(end.get("end") instanceof Number count && count.longValue() == calls.size())) {
            throw new RecordingException(path + " is damaged: its end tells of calls=" + end.get("end") + ", it has "
                    + calls.size());
        }
        calls.sort(Comparator.comparingInt(RecordedCall::number));
        return new Recording(String.valueOf(head.get("address")), services(path, head), calls,
                end != null && end.get("left") instanceof Number left ? left.longValue() : -1);
    }

    private static List<ServiceSchema> services(Path path, Map<?, ?> head) throws RecordingException {
        List<ServiceSchema> services = new ArrayList<>();
        try {
            for (Object each : (List<?>) head.get("services")) {
                services.add(SchemaJson.read((String) each));
            }
        } catch (IllegalArgumentException | ClassCastException | NullPointerException e) {
            throw new RecordingException(path + ":1 is damaged: its services cannot be read: " + e.getMessage());
        }
        return services;
    }
}
