package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.WorkRequest;

/**
 * Listings and pictures of the programs, under {@code programs}. {@code -Dgolden.regenerate=true} rewrites them and
 * fails; read the difference, then run without it.
 */
final class ShippedProgramsTest {

    private static final Path GOLDEN = Path.of("programs");

    static List<ShippedPrograms.Shipped> programs() {
        return ShippedPrograms.all();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aShippedProgramIsListedAndDrawnAsItsGoldenFilesAre(ShippedPrograms.Shipped shipped) throws IOException {
        compare(shipped.name() + ".txt", shipped.program().toString());
        compare(shipped.name() + ".svg", Drawing.svg(shipped.program(), shipped.title()));
        if (Boolean.getBoolean("golden.regenerate")) {
            fail("golden files of " + shipped.name() + " were rewritten; run again without -Dgolden.regenerate");
        }
    }

    private static void compare(String name, String text) throws IOException {
        Path made = Path.of("target", "programs", name);
        Files.createDirectories(made.getParent());
        Files.writeString(made, text);
        Path golden = GOLDEN.resolve(name);
        if (Boolean.getBoolean("golden.regenerate")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, text);
            return;
        }
        assertTrue(Files.exists(golden), golden + " is not there; to make it: mvn test -pl rpc-transport/offload "
                + "-Dtest=ShippedProgramsTest -Dgolden.regenerate=true");
        assertEquals(Files.readString(golden), text, golden + " differs from " + made);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void theBytesOfAProgramAreReadBackAsItsWrs(ShippedPrograms.Shipped shipped) {
        Program program = shipped.program();
        for (ChainQueue queue : program.queues()) {
            ByteBuffer ring = ByteBuffer.allocate(queue.blocks() * Wqe.BLOCK);
            ring.asLongBuffer().put(program.words(queue));
            List<String> expected = new ArrayList<>();
            for (WorkRequest wr : program.sends(queue)) {
                String name = wr.isDormant() ? "NOP" : wr.verb();
                expected.add(queue + " " + wr.block() + " " + name);
            }
            List<String> found = Disassembler.list(queue.toString(), ring, Symbols.of(program)).lines()
                    .skip(1)
                    .filter(line -> !line.startsWith(" "))
                    .map(line -> String.join(" ", Arrays.copyOf(line.split(" +"), 3)))
                    .toList();
            assertEquals(expected, found);
        }
    }

    @Test
    void thereIsNoGoldenFileOfNoProgram() throws IOException {
        TreeSet<String> expected = new TreeSet<>();
        ShippedPrograms.all().forEach(shipped -> {
            expected.add(shipped.name() + ".svg");
            expected.add(shipped.name() + ".txt");
        });
        TreeSet<String> found = new TreeSet<>();
        try (var files = Files.list(GOLDEN)) {
            files.forEach(file -> found.add(file.getFileName().toString()));
        }
        assertEquals(expected, found);
    }
}
