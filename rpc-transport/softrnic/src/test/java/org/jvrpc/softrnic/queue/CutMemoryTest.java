package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/** A virtual machine outlives that memory is cut under it, whatever of a router touches it, whoever compiled that. */
class CutMemoryTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"-Xint, 5", "-XX:TieredStopAtLevel=1, 2000", "-XX:-TieredCompilation, 12000"})
    void whoTouchesCutMemoryIsToldAndGoesOn(String option, String rounds) {
        try (ChildJvm child = JavaCommand.of(CutMemory.class).option("-Xmx64m").option("-XX:-CreateCoredumpOnCrash")
                .option("-XX:TieredStopAtLevel=4").option(option)
                .arguments(folder.resolve("slab").toString(), rounds).start()) {
            assertTrue(Integer.parseInt(child.expect("woken ")) >= Integer.parseInt(rounds), child.toString());
            int ways = Integer.parseInt(child.expect("survived "));
            child.expectEnd();
            List<String> told = child.output().stream().filter(line -> line.startsWith("way ")).toList();
            assertEquals(ways, told.size());
            told.forEach(line -> assertTrue(line.contains("error"), line));
        }
    }
}
