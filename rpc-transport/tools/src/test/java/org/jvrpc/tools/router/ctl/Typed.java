package org.jvrpc.tools.router.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import picocli.CommandLine;

/** What was typed last, and what came of it. One thread. */
final class Typed {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Returns the exit code. @param place option that says where the control plane is, and its value */
    int run(String place, String where, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine command = new CommandLine(new CtlCommand()).setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = place;
        all[words.length + 1] = where;
        return command.execute(all);
    }

    void done(String place, String where, String... words) {
        assertEquals(0, run(place, where, words), () -> String.join(" ", words) + ": " + err);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }
}
