package org.jvrpc.runtime.health;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.several.HealthContract;

class ShmHealthTest extends HealthContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
