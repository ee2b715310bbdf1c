package org.jvrpc.tools.watch.rperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is printed of the six, and the picture. */
class ExperimentsCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new ExperimentsCommand()).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute(words);
    }

    @Test
    void theOrdersArePrintedAndThePictureIsWritten(@TempDir Path folder) throws IOException {
        Path svg = folder.resolve("six.svg");
        assertEquals(0, run("--milliseconds", "2", "--svg", svg.toString()), out::toString);
        assertEquals(7, out.toString().lines().filter(line -> line.startsWith("holds ")).count(), out::toString);
        assertTrue(out.toString().contains("not here       6. the same, round robin among ports"), out::toString);
        assertTrue(Files.readString(svg).startsWith("<svg "));
    }

    @Test
    void jsonIsOneObject() {
        run("--milliseconds", "1", "--json");
        assertTrue(out.toString().startsWith("{\"seed\":1,\"milliseconds\":1,\"orders\":[{\"order\":"), out::toString);
        assertEquals(1, out.toString().lines().count());
    }

    @Test
    void aPictureThatCannotBeWrittenIsThreeAndATimeThatIsNoneTwo(@TempDir Path folder) {
        assertEquals(3, run("--milliseconds", "1", "--svg", folder.resolve("no/x.svg").toString()));
        assertTrue(err.toString().contains("no picture"), err::toString);
        assertEquals(2, run("--milliseconds", "0"));
    }
}
