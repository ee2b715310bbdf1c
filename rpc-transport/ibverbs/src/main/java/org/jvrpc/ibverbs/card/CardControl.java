package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.QpChange;
import org.jvrpc.ibverbs.core.QpHandle;
import org.jvrpc.ibverbs.core.QpStates;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.mlx5.Mlx5SharedReceiveQueue;
import org.jvrpc.mlx5.QueuePairControl;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The control path of a card's QP: the kernel's. Any thread. */
final class CardControl implements QueuePairControl {

    private final CardDriver driver;
    private final RdmaDomain domain;
    private final QpHandle handle;
    private final QpStates states;
    private final CardCompletions sends;
    private final CardCompletions receives;
    private final ByteBuffer sendRing;
    private final long address;

    /** @param address of the {@code struct ibv_qp}, or 0 */
    CardControl(CardDriver driver, RdmaDomain domain, QpHandle handle, QpStates states, CardCompletions sends,
            CardCompletions receives, ByteBuffer sendRing, long address) {
        this.driver = driver;
        this.domain = domain;
        this.handle = handle;
        this.states = states;
        this.sends = sends;
        this.receives = receives;
        this.sendRing = sendRing;
        this.address = address;
    }

    QpStates states() {
        return states;
    }

    /** Returns true for the QP whose {@code struct ibv_qp} lies at an address. */
    boolean isAt(long qp) {
        return address == qp && qp != 0;
    }

    boolean reportsTo(CardCompletions cq) {
        return sends == cq || receives == cq;
    }

    @Override
    public QueuePairState state() {
        return states.state();
    }

    @Override
    public void init() {
        states.init();
    }

    @Override
    public byte[] endpoint() {
        return states.endpoint().encode();
    }

    @Override
    public void connect(byte[] remoteEndpoint) {
        states.connect(RdmaEndpoint.decode(remoteEndpoint));
    }

    @Override
    public void makeReady() {
        states.ready();
    }

    @Override
    public void error() {
        states.error();
    }

    @Override
    public void wakePeer() {
        // a card wakes whoever armed a CQ
    }

    @Override
    public void failed() {
        states.failed();
    }

    @Override
    public boolean mustFlush() {
        return false;
    }

    @Override
    public boolean hasAtomics() {
        return driver.hasAtomics();
    }

    @Override
    public MemoryRegion registerSendRing(ProtectionDomain owner, int access) {
        if (!(owner instanceof RdmaDomain other) || other.context() != domain.context()) {
            throw new VerbsException("reg_mr", "protection domain is of another device: " + owner);
        }
        return owner.register(sendRing, access);
    }

    /** Runs something unless the device is closed, which ends its QPs. */
    void whileOpen(Runnable end) {
        driver.context().whileOpen(end);
    }

    /** Takes the QP off the card: no completion of it comes any more. What lies in its CQs is passed over. */
    void retire(CardQueuePair qp) {
        states.failed();
        try {
            handle.modify(new QpChange(Ibv.QPS_RESET));
        } catch (VerbsException e) {
            handle.destroy(); // the device is gone, or the kernel will not: then no completion comes either
        }
        sends.queue().bury(qp);
        receives.queue().bury(qp);
    }

    @Override
    public void close() {
        if (states.attributes().sharedReceive() instanceof Mlx5SharedReceiveQueue shared) {
            shared.detach();
        }
        driver.closed(this);
        driver.deferredDestroys().add(new DeferredDestroys.Entry(domain, sends, receives, handle::destroy));
        domain.abandon();
    }
}
