package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EcnTest {

    @Test
    void bothFieldsOfATrafficClassComeBack() {
        for (int trafficClass = 0; trafficClass < 256; trafficClass++) {
            int again = Ecn.trafficClass(Ecn.dscp(trafficClass), Ecn.ecn(trafficClass));
            assertEquals(trafficClass, again);
            assertEquals(Ecn.dscp(trafficClass), Ecn.dscp((byte) trafficClass), "a byte that Java takes for negative");
        }
    }

    @Test
    void aMarkKeepsTheDscpAndSparesWhoDoesNotTakePart() {
        for (int dscp = 0; dscp < 64; dscp++) {
            assertEquals(dscp << 2, Ecn.mark(dscp << 2));
            for (int ecn = 1; ecn < 4; ecn++) {
                assertEquals(dscp << 2 | 3, Ecn.mark(dscp << 2 | ecn));
            }
        }
    }

    @Test
    void onlyCeIsMarkedAndAllButNotEctAreCapable() {
        assertFalse(Ecn.isCapable(0xfc));
        assertTrue(Ecn.isCapable(0xfd));
        assertTrue(Ecn.isCapable(0xfe));
        assertTrue(Ecn.isCapable(0xff));
        assertFalse(Ecn.isMarked(0xfc));
        assertFalse(Ecn.isMarked(0xfd));
        assertFalse(Ecn.isMarked(0xfe));
        assertTrue(Ecn.isMarked(0xff));
    }

    @Test
    void theCnpOfAConnectX4HasTheNamedDscpAndEct0() {
        int captured = 0xc2; // the CNP of IcrcTest, second byte
        assertEquals(captured, Ecn.trafficClass(Ecn.CNP_DSCP, Ecn.ECT_0));
    }

    @Test
    void fieldsThatDoNotFitAreRefusedByName() {
        assertEquals("dscp=64 least=0 most=63",
                assertThrows(IllegalArgumentException.class, () -> Ecn.trafficClass(64, 0)).getMessage());
        assertEquals("ecn=-1 least=0 most=3",
                assertThrows(IllegalArgumentException.class, () -> Ecn.trafficClass(0, -1)).getMessage());
    }
}
