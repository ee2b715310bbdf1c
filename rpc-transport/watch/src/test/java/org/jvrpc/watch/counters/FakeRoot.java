package org.jvrpc.watch.counters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A tree of files and programs that look like a host's. */
final class FakeRoot implements Tool {

    private final Path root;
    private final Map<String, Result> programs = new HashMap<>();
    final List<String> ran = new ArrayList<>();

    FakeRoot(Path root) {
        this.root = root;
    }

    Path path() {
        return root;
    }

    FakeRoot file(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeRoot link(String path, String target) {
        try {
            Path link = root.resolve(path);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, Path.of(target));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A counter of a device's port 1, by its group and name. */
    FakeRoot counter(String device, String name, String text) {
        return file("sys/class/infiniband/" + device + "/ports/1/" + name, text + "\n");
    }

    FakeRoot prints(String command, String text) {
        programs.put(command, Result.of(text));
        return this;
    }

    FakeRoot refuses(String command, String why) {
        programs.put(command, Result.refused(why));
        return this;
    }

    @Override
    public Result run(List<String> command) {
        String line = String.join(" ", command);
        ran.add(line);
        return programs.getOrDefault(line, Result.refused(command.get(0) + ": no such program, or not executable"));
    }

    static String resource(String name) {
        try (var in = FakeRoot.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns readings as lines, for a test to compare. */
    static String lines(List<Counted> all) {
        StringBuilder out = new StringBuilder();
        for (Counted one : all) {
            out.append(one.label()).append(' ').append(one.reading().isReadable()
                    ? Long.toUnsignedString(one.reading().value()) + " " + one.reading().unit()
                    : "? " + one.reading().refusal()).append(" of ").append(one.origin()).append('\n');
        }
        return out.toString();
    }
}
