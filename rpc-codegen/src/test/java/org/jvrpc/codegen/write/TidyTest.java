package org.jvrpc.codegen.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class TidyTest {

    @Test
    void aLambdaStandsInOneLineWhereItFits() {
        String head = "    ResultReader<Long> READER = (in, thrown) ->";
        String body = "x".repeat(120 - head.length() - 2) + ";";
        assertEquals(head + " " + body, Tidy.tidy(head + "\n        " + body));
        String longer = head + "\n        x" + body;
        assertEquals(longer, Tidy.tidy(longer));
    }
}
