package org.jvrpc.verbs.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all contract suites share: a fresh rig for each test. */
abstract class DeviceContract {

    final DeviceUnderTest dut;
    Rig rig;

    DeviceContract(DeviceUnderTest dut) {
        this.dut = dut;
    }

    @BeforeEach
    void openRig() {
        assumeNeeds();
        rig = new Rig(dut);
        prepare();
    }

    /** Makes what all tests of a suite need. */
    void prepare() {
    }

    /** Skips the tests of a suite that needs what the device has not. */
    void assumeNeeds() {
    }

    @AfterEach
    void closeRig() {
        if (rig != null) {
            rig.close();
        }
    }
}
