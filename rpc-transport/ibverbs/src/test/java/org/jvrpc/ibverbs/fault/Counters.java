package org.jvrpc.ibverbs.fault;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the devices of this machine have counted since they were made, for failures: retries, RNR NAKs, losses. */
final class Counters {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private Counters() {
    }

    /** Returns the counters that are not zero, by device. */
    static String read() {
        Map<String, Map<String, String>> found = new TreeMap<>();
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(DEVICES)) {
            for (Path device : devices) {
                found.put(device.getFileName().toString(), readAll(device.resolve("ports/1/hw_counters")));
            }
        } catch (IOException e) {
            return e.toString();
        }
        return found.toString();
    }

    private static Map<String, String> readAll(Path folder) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (DirectoryStream<Path> counters = Files.newDirectoryStream(folder)) {
            for (Path counter : counters) {
                String value = Files.readString(counter).strip();
                if (!value.equals("0")) {
                    found.put(counter.getFileName().toString(), value);
                }
            }
        }
        return found;
    }
}
