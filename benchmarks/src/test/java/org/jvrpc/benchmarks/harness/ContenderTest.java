package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ContenderTest {

    @Test
    void flagsNameTheEndThatHasThem() {
        Contender contender = new Contender("x", null, null).withFlags("-Dend={end}", "-Dboth");

        assertEquals(List.of("-Dend=server", "-Dboth"), contender.flagsOf("server"));
        assertEquals(List.of("-Dend=client", "-Dboth"), contender.flagsOf("client"));
    }
}
