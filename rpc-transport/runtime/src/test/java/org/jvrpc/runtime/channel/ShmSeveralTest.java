package org.jvrpc.runtime.channel;

import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.several.SeveralContract;

class ShmSeveralTest extends SeveralContract {

    @Override
    public String newAddress() {
        return ShmFolder.address();
    }
}
