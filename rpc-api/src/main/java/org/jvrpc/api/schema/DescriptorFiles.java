package org.jvrpc.api.schema;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Finds descriptors in files, folders and jars. */
public final class DescriptorFiles {

    private static final int MAX_BYTES = 1 << 24;

    private DescriptorFiles() {
    }

    /**
     * Reads the descriptors of a place: a {@code .json} file that is one, those in {@code META-INF/jvrpc} of a jar, or
     * those in a folder of such a name, or of any name that has {@code .json} files, or below it.
     *
     * @throws IOException when nothing is there, or cannot be read; the message names the file
     */
    public static List<ServiceSchema> read(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            return folder(place);
        }
        if (!Files.isRegularFile(place)) {
            throw new IOException("no such file or folder: " + place);
        }
        return place.toString().endsWith(".json")
                ? List.of(parse(place.toString(), Files.size(place), Files.readAllBytes(place)))
                : jar(place);
    }

    private static List<ServiceSchema> folder(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith(".json") && Files.isRegularFile(file))
                    .sorted().toList();
        }
        List<Path> own = files.stream()
                .filter(file -> file.toUri().getPath().contains("/" + SchemaJson.FOLDER))
                .toList();
        List<ServiceSchema> found = new ArrayList<>();
        for (Path file : own.isEmpty() ? files : own) {
            found.add(parse(file.toString(), Files.size(file), Files.readAllBytes(file)));
        }
        return require(folder, found);
    }

    private static List<ServiceSchema> jar(Path file) throws IOException {
        List<ServiceSchema> found = new ArrayList<>();
        try (ZipFile jar = new ZipFile(file.toFile())) {
            Enumeration<? extends ZipEntry> entries = jar.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getName().startsWith(SchemaJson.FOLDER) && entry.getName().endsWith(".json")) {
                    byte[] bytes = jar.getInputStream(entry).readNBytes(MAX_BYTES + 1);
                    found.add(parse(file + "!/" + entry.getName(), bytes.length, bytes));
                }
            }
        } catch (ZipException e) {
            throw new IOException("neither a descriptor (.json) nor a jar: " + file + ": " + e.getMessage(), e);
        }
        return require(file, found);
    }

    private static List<ServiceSchema> require(Path place, List<ServiceSchema> found) throws IOException {
        if (found.isEmpty()) {
            throw new IOException("no descriptors (" + SchemaJson.FOLDER + "*.json) in " + place);
        }
        return found;
    }

    private static ServiceSchema parse(String name, long size, byte[] bytes) throws IOException {
        if (size > MAX_BYTES) {
            throw new IOException("a descriptor of bytes=" + size + " limit=" + MAX_BYTES + ": " + name);
        }
        try {
            return SchemaJson.read(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException("no descriptor: " + name + ": " + e.getMessage(), e);
        }
    }
}
