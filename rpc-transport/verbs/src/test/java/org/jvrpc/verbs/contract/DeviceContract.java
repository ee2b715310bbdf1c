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
        rig = new Rig(dut);
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }
}
