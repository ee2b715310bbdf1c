package org.jvrpc.ibverbs.differential;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Requests that are refused or have to wait, when packets meet faults. */
@NeedsRdmaDevice
final class ErrorDifferentialTest extends Differential {

    private static Stream<Scenario> scenarios() {
        return Stream.of(Scenario.values()).filter(one -> !one.isPlain() && one != Scenario.MIXED);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void eachFateOfEachPacketEndsAsOnRxe(Scenario scenario) {
        compareEachFate(scenario);
    }
}
