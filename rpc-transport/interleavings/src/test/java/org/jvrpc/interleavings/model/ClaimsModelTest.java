package org.jvrpc.interleavings.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A receive is used by one completion and none is passed over, whoever dies when. */
final class ClaimsModelTest {

    @Test
    void everyReceiveIsUsedOnce() {
        ModelCheck.Result result = ModelCheck.run(new ClaimsModel());
        System.out.println("ClaimsModelTest: " + result);
        assertNull(result.broken(), result::toString);
        assertTrue(result.states() > 10_000, result::toString);
    }

    @ParameterizedTest
    @EnumSource(ClaimsModel.Fault.class)
    void everyFaultIsSeen(ClaimsModel.Fault fault) {
        ModelCheck.Result result = ModelCheck.run(new ClaimsModel(fault));
        System.out.println("ClaimsModelTest: " + fault + ": " + result);
        assertNotNull(result.broken(), fault::toString);
    }

    @Test
    void theOwnersClearingHasAReceivePassedOver() {
        ModelCheck.Result result = ModelCheck.run(new ClaimsModel(ClaimsModel.Fault.OWNER_OF_CQ_CLEARS));
        assertEquals("receive 0 is passed over", result.broken());
        result = ModelCheck.run(new ClaimsModel(ClaimsModel.Fault.CLEARED_BEFORE_HAND));
        assertEquals("receive 0 is passed over", result.broken());
    }
}
