package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Layouts.Context;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.generic.GenericDriver;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;

/** A device over {@link HaltedVerbs}, and for each function of libibverbs a way to have it called. */
final class EndingDevice {

    private static final int QKEY = 7;
    private static final long AWAIT_NS = 1_000_000;

    final int commandFd = Libraries.c().eventfd(0, LibC.O_NONBLOCK | LibC.EFD_CLOEXEC);
    final RdmaContext context;
    private final HaltedVerbs verbs;
    private Driver driver;
    private RdmaDomain domain;
    private RdmaEventChannel channel;
    private CompletionQueue cq;
    private CompletionQueue watched;
    private SharedReceiveQueue srq;
    private QueuePair qp;
    private QueuePair fresh;
    private MemoryRegion region;
    private AddressHandle handle;

    EndingDevice(HaltedVerbs verbs) {
        this.verbs = verbs;
        verbs.model.context.putInt(Context.CMD_FD, commandFd);
        context = RdmaContext.of(verbs.lib, "model", verbs.model.context.address(), 1, 0);
    }

    /** Takes a driver, {@code generic} or {@code mlx5}. */
    void begin(String name) {
        driver = name.equals("generic") ? new GenericDriver(context)
                : new CardDriver(context, new ModelDirect(verbs.model), (command, bytes) -> false, 1);
    }

    /** Makes all that {@link #call} needs for a function. */
    void prepare(String function) {
        domain = RdmaDomain.allocate(context, driver);
        channel = RdmaEventChannel.create(context);
        cq = createCq(null);
        if (function.equals("ibv_destroy_comp_channel") || function.equals("ibv_dealloc_pd")) {
            return; // nothing uses it
        }
        watched = createCq(channel);
        srq = createSrq();
        qp = createQp();
        qp.init();
        qp.ready();
        fresh = createQp();
        region = domain.allocate(64, Access.LOCAL_WRITE);
        handle = createAh();
    }

    private CompletionQueue createCq(RdmaEventChannel with) {
        return context.whileOpen("create_cq",
                () -> driver.createCq(CompletionQueueAttributes.ofDepth(8).withChannel(with)));
    }

    private SharedReceiveQueue createSrq() {
        return domain.createSrq(new SharedReceiveQueueAttributes(4, 1));
    }

    private QueuePair createQp() {
        return domain.createQp(new QueuePairAttributes(cq, cq).datagram(QKEY));
    }

    private AddressHandle createAh() {
        return domain.createAh(new RdmaEndpoint(context.port().gid(), 0, 3, 9, 9).encode());
    }

    /** Has a function of libibverbs called. */
    Void call(String function) {
        switch (function) {
            case "ibv_alloc_pd" -> RdmaDomain.allocate(context, driver);
            case "ibv_reg_mr" -> domain.register(ByteBuffer.allocateDirect(64), Access.LOCAL_WRITE);
            case "ibv_create_comp_channel" -> RdmaEventChannel.create(context);
            case "ibv_create_cq" -> createCq(channel);
            case "ibv_create_srq" -> createSrq();
            case "ibv_create_qp" -> createQp();
            case "ibv_create_ah" -> createAh();
            case "ibv_modify_qp" -> fresh.init();
            case "ibv_query_qp" -> qp.state();
            case "ibv_query_port" -> context.refreshPort();
            case "ibv_get_async_event" -> {
                verbs.card.asyncChannel.event(1);
                channel.await(AWAIT_NS);
            }
            case "ibv_destroy_qp" -> endQp();
            case "ibv_destroy_ah" -> handle.close();
            case "ibv_destroy_srq" -> endSrq();
            case "ibv_dereg_mr" -> region.close();
            case "ibv_destroy_cq" -> watched.close();
            case "ibv_destroy_comp_channel" -> channel.close();
            case "ibv_dealloc_pd" -> domain.close();
            default -> throw new IllegalArgumentException(function);
        }
        return null;
    }

    /** A card's QP stays until its CQ or domain is closed. */
    private void endQp() {
        qp.close();
        fresh.close();
        cq.close();
    }

    /** A card's SRQ stays until its domain is closed. */
    private void endSrq() {
        srq.close();
        qp.close();
        fresh.close();
        handle.close();
        region.close();
        domain.close();
    }
}
