package org.jvrpc.ibverbs.card;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.jvrpc.ibverbs.core.CommandFile;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** The driver on a card of its own, which is a {@link ModelCard}. */
final class ModelDevice implements Device {

    final ModelCard card = new ModelCard();
    final ModelVerbs verbs = new ModelVerbs(card);
    final ModelDirect direct = new ModelDirect(verbs);
    final RdmaContext context;
    final CardDriver driver;
    private boolean closed;

    ModelDevice() {
        this((command, bytes) -> false);
    }

    /** A card that reports so much of atomics. */
    ModelDevice(int atomicCap) {
        this((command, bytes) -> false, atomicCap);
    }

    ModelDevice(CommandFile commands) {
        this(commands, 1);
    }

    private ModelDevice(CommandFile commands, int atomicCap) {
        verbs.atomicCap = atomicCap;
        context = RdmaContext.of(verbs, "model", verbs.context.address(), 1, 0);
        driver = new CardDriver(context, direct, commands, 1);
        card.plugIn();
    }

    @Override
    public String name() {
        return "model (" + driver.name() + ")";
    }

    @Override
    public int maxDatagramBytes() {
        return context.port().mtuBytes();
    }

    @Override
    public ProtectionDomain allocatePd() {
        return RdmaDomain.allocate(context, driver);
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        return context.whileOpen("create_cq", () -> driver.createCq(attributes));
    }

    @Override
    public EventChannel createChannel() {
        return RdmaEventChannel.create(context);
    }

    @Override
    public Listener listen(String address, EventChannel channel) {
        throw new VerbsException("listen", "the model has no connection manager");
    }

    @Override
    public Connection connect(
            String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        throw new VerbsException("connect", "the model has no connection manager");
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            context.close();
            assertEquals(List.of(), card.faults, "what the card saw");
        }
    }
}
