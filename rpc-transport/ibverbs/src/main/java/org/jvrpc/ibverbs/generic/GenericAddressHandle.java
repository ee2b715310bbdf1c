package org.jvrpc.ibverbs.generic;

import java.lang.ref.Reference;
import org.jvrpc.ibverbs.binding.Layouts.AhAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.Gate;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.ServiceClass;

/** An AH that libibverbs made. Any thread. */
final class GenericAddressHandle implements AddressHandle {

    private final GenericDriver driver;
    private final RdmaDomain domain;
    private final long ah;
    private final Gate gate = new Gate();

    GenericAddressHandle(
            GenericDriver driver, RdmaDomain domain, RdmaEndpoint remote, int flowLabel, ServiceClass service) {
        this.driver = driver;
        this.domain = domain;
        domain.adopt();
        Native attr = Native.allocate(AhAttr.BYTES);
        QpChange.address(attr, 0, domain.context().port(), remote, flowLabel, service);
        this.ah = domain.context().lib().ibv_create_ah(domain.address(), attr.address());
        Reference.reachabilityFence(attr);
        if (ah == 0) {
            NativeException e = NativeException.last("create_ah", "remote=" + remote);
            domain.abandon();
            throw e;
        }
    }

    RdmaDomain domain() {
        return domain;
    }

    /** Returns the address of the {@code struct ibv_ah}. */
    long address() {
        return ah;
    }

    Gate gate() {
        return gate;
    }

    @Override
    public void close() {
        domain.context().whileOpen(this::end);
    }

    private void end() {
        if (gate.close()) {
            driver.forget(this);
            domain.context().lib().ibv_destroy_ah(ah);
            domain.abandon();
        }
    }
}
