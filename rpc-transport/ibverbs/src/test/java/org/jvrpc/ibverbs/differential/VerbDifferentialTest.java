package org.jvrpc.ibverbs.differential;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Each verb, when packets meet faults. */
@NeedsRdmaDevice
final class VerbDifferentialTest extends Differential {

    private static Stream<Scenario> scenarios() {
        return Stream.of(Scenario.values()).filter(Scenario::isPlain);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void eachFateOfEachPacketEndsAsOnRxe(Scenario scenario) {
        compareEachFate(scenario);
    }
}
