package org.jvrpc.router;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.SendReceiveContract;

/** Messages between tenants whose doorbells travel by their sockets. */
class RouterSlowSendReceiveTest extends SendReceiveContract {

    private static final class Slow implements RouterUnderTest {

        @Override
        public Device openDevice() {
            return SharedRouter.get().openSlow("one");
        }
    }

    RouterSlowSendReceiveTest() {
        super(new Slow());
    }
}
