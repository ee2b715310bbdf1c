package org.jvrpc.watch.drift;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any text in UTF-8 as what was found somewhere else. It is refused with one mistake that can be shown, or it is the
 * same when it is written and read again, and can be compared with what is wanted.
 */
final class FoundFileFuzz {

    private static final Desired DESIRED = desired();

    private FoundFileFuzz() {
    }

    private static Desired desired() {
        try {
            return Desired.parse("wanted", "fabric: {alpha: 1/16, ecn: {kmin: 5KB}, pfc: [3]}\n"
                    + "hosts: {mtu: 4200, dscp: {26: 3}, qp: {timeout: 67ms}}\n");
        } catch (DesiredException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void fuzzerTestOneInput(byte[] input) throws DesiredException, IOException {
        List<ConfigurationSource> found;
        try {
            found = FoundFile.parse("file", new String(input, StandardCharsets.UTF_8));
        } catch (DesiredException e) {
            DesiredFuzz.refused(e);
            return;
        }
        String written = FoundFile.write(found);
        List<ConfigurationSource> again = FoundFile.parse("written", written);
        FuzzCheck.that(again.size() == found.size(), written);
        for (int i = 0; i < found.size(); i++) {
            ConfigurationSource one = found.get(i);
            ConfigurationSource other = again.get(i);
            FuzzCheck.that(one.kind() == other.kind() && one.subject().equals(other.subject())
                    && one.place().equals(other.place()) && one.read().equals(other.read()), written);
            for (Map.Entry<String, Setting> entry : one.read().entrySet()) {
                FuzzCheck.that(Schema.key(one.kind(), entry.getKey()) != null, "no such key: " + entry);
            }
        }
        compare(found);
    }

    private static void compare(List<ConfigurationSource> found) {
        Drift drift = Differ.look(DESIRED, found, new Sightings(), 1_000);
        for (Difference difference : drift.differences()) {
            FuzzCheck.that(!difference.desired().equals(difference.found())
                    || Schema.key(difference.kind(), difference.key()).form() == Form.RATIO, difference);
        }
        int wanted = found.stream().mapToInt(one -> DESIRED.of(one.kind(), one.subject()).size()).sum();
        FuzzCheck.that(drift.same() + drift.differences().size() + drift.unreadable().size() == wanted, drift);
    }
}
