package org.jvrpc.router;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.QueuePairContract;
import org.jvrpc.verbs.contract.UserMemoryContract;

/** Devices of two tenants, in turn: the left one connects to the right one. */
final class RouterContractTest extends QueuePairContract implements RouterUnderTest {

    private static final String[] TENANTS = {"two", "one"};

    private int opened;

    @Nested
    final class UserMemoryTest extends UserMemoryContract {
        UserMemoryTest() {
            super(RouterContractTest.this);
        }
    }

    @BeforeEach
    void beginWithTheLeft() {
        opened = 0;
    }

    @Override
    public Device openDevice() {
        return SharedRouter.get().open(TENANTS[opened++ % TENANTS.length]);
    }

    @Override
    public boolean attaches() {
        return false; // a tenant reaches its own folder alone
    }

    @Override
    public boolean listensAnywhere() {
        return false;
    }
}
