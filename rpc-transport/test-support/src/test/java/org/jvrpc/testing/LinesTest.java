package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a failure shows of a child's output. */
class LinesTest {

    private static String shown(List<String> lines) {
        Lines read = new Lines("lines", new BufferedReader(new StringReader(String.join("\n", lines))));
        Waits.until("the end", read::hasEnded);
        return read.toString();
    }

    private static List<String> numbers(int count) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add("line " + i);
        }
        return lines;
    }

    @Test
    void fewLinesAreShownAsTheyAreAndOfManyTheLast() {
        assertEquals("line 0\nline 1", shown(numbers(2)));
        assertEquals("(40 lines)\n" + String.join("\n", numbers(100).subList(40, 100)), shown(numbers(100)));
    }

    @Test
    void ofACrashItsBeginningAndItsStacksAreShownAndTheLastLines() {
        List<String> lines = numbers(1000);
        lines.set(200, "# A fatal error has been detected by the Java Runtime Environment:");
        lines.set(290, "Stack: [0x1,0x2],  sp=0x3");
        assertEquals("(185 lines)\n" + String.join("\n", lines.subList(185, 260)) + "\n(15 lines)\n"
                + String.join("\n", lines.subList(275, 350)) + "\n(590 lines)\n"
                + String.join("\n", lines.subList(940, 1000)), shown(lines));
    }

    @Test
    void whatIsShownAlreadyIsNotShownTwice() {
        List<String> lines = numbers(30);
        lines.set(3, "# A fatal error has been detected by the Java Runtime Environment:");
        lines.set(9, "Stack: [0x1,0x2],  sp=0x3");
        assertEquals(String.join("\n", lines), shown(lines));
    }
}
