package org.jvrpc.ibverbs.rxe;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.verbs.AddressHandle;

/** An AH, which WQEs name by its number. Any thread. */
final class RxeAddressHandle implements AddressHandle {

    private final RxeDriver driver;
    private final RdmaDomain domain;
    private final RxeCommands.Ah ah;
    private final AtomicBoolean closed = new AtomicBoolean();

    RxeAddressHandle(RxeDriver driver, RdmaDomain domain, RxeCommands.Ah ah) {
        this.driver = driver;
        this.domain = domain;
        this.ah = ah;
    }

    int number() {
        return ah.number();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            if (!driver.isClosed()) {
                driver.commands().destroyAh(ah.handle());
            }
            domain.abandon();
        }
    }
}
