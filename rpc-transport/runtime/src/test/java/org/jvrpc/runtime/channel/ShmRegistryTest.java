package org.jvrpc.runtime.channel;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.several.RegistryContract;

class ShmRegistryTest extends RegistryContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
