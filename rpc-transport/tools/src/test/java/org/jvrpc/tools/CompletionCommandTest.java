package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {

    @TempDir
    private Path folder;

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        StringWriter out = new StringWriter();
        assertEquals(0, Jvrpc.commandLine().setOut(new PrintWriter(out)).execute("completion"));
        Path script = Files.writeString(folder.resolve("jvrpc"), out.toString());
        assertEquals("health", completed(script, "jvrpc hea", 1));
        assertEquals("--descriptor", completed(script, "jvrpc call --desc", 2));
    }

    /** Returns what bash offers for the last of some words. */
    private static String completed(Path script, String words, int last) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder("bash", "-c", "source '" + script + "'; COMP_WORDS=(" + words
                + "); COMP_CWORD=" + last + "; COMP_LINE='" + words + "'; _complete_jvrpc; echo \"${COMPREPLY[@]}\"")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        bash.waitFor();
        return text;
    }
}
