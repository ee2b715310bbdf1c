package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.OrderException;

/** Which shipped programs there are for a device that fetches a WQE as soon as an ENABLE allows it, and which not. */
final class DoorbellOrderTest {

    @Test
    void allShippedProgramsButTheseAreMadeForDevicesThatPrefetch() {
        Map<String, String> refused = new TreeMap<>();
        for (ShippedPrograms.Shipped shipped : ShippedPrograms.all()) {
            try {
                System.out.println(shipped.prefetched());
            } catch (OrderException e) {
                refused.put(shipped.name(), e.getMessage());
            }
        }
        refused.forEach((k, v) -> System.out.println("REFUSED " + k + ": " + v));
        assertEquals(Map.of(), refused);
    }
}
