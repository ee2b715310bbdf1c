package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Command;

/** The command by the names of its subcommands. */
class JvrpcTest {

    static List<String> names() {
        return Jvrpc.NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachNameIsItsCommands(String name) {
        assertEquals(name, Jvrpc.command(name).getClass().getAnnotation(Command.class).name());
        assertEquals(0, Jvrpc.run(name, "--help"));
    }

    @Test
    void allAreThereForHelp() {
        assertEquals(Jvrpc.NAMES, new ArrayList<>(Jvrpc.commandLine().getSubcommands().keySet()));
    }

    @Test
    void anotherNameIsWrong() {
        assertEquals(2, Jvrpc.run("lisst"));
        assertEquals(2, Jvrpc.run());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Jvrpc.command("lisst")).getMessage()
                .startsWith("command=lisst, known are [doctor, "));
    }
}
