package org.jvrpc.router;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.jvrpc.testing.fuzz.FuzzCorpus;

class FuzzCorpusTest {

    @TestFactory
    Stream<DynamicTest> everyTargetHoldsForItsCorpusAndWhatASeedMakesOfIt() {
        return FuzzCorpus.tests(FuzzCorpusTest.class, "rpc-transport/router");
    }
}
