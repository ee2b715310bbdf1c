package org.jvrpc.benchmarks.router;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.benchmarks.harness.Walls;

/** A router's place, and users of their own around it. */
final class RouterWalls implements Walls {

    /** What jars' names begin with that a tenant or a router needs; folders are jvRPC's own classes. */
    private static final List<String> NEEDED = List.of("jvrpc-", "slf4j-", "HdrHistogram-", "snakeyaml-", "kryo-",
            "objenesis-", "reflectasm-", "minlog-");

    private final List<Tenant> tenants;

    RouterWalls(List<Tenant> tenants) {
        this.tenants = tenants;
    }

    @Override
    public void prepare(Path folder) throws IOException {
        Users users = Users.find();
        if (users.areApart()) {
            open(folder.getParent());
            open(folder);
        }
        RouterPlace.make(folder, tenants, users);
    }

    private static void open(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Override
    public List<String> prefix(String end, Path folder) {
        try {
            return Users.find().prefix(end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies, once a run: the driver's classes often lie in a home that others cannot enter. */
    @Override
    public String classPath(String common, Path folder) throws IOException {
        if (!Users.find().areApart()) {
            return common;
        }
        synchronized (RouterWalls.class) {
            Path copies = folder.resolveSibling("classes");
            boolean missing = !Files.exists(copies);
            if (missing) {
                Files.createDirectory(copies);
            }
            List<String> entries = new ArrayList<>();
            String[] all = common.split(File.pathSeparator);
            for (int i = 0; i < all.length; i++) {
                Path from = Path.of(all[i]);
                String name = String.valueOf(from.getFileName());
                if (Files.isDirectory(from) || NEEDED.stream().anyMatch(name::startsWith)) {
                    Path to = copies.resolve(i + "-" + name);
                    if (missing) {
                        copy(from, to);
                    }
                    entries.add(to.toString());
                }
            }
            return String.join(File.pathSeparator, entries);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    open(Files.createDirectories(copy));
                } else {
                    Files.copy(file, copy.toString().endsWith("/") ? to : copy);
                    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
                }
            }
        }
    }
}
