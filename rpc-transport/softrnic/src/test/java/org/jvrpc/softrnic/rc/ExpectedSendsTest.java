package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;

/** When the line of the peer's next CQE is fetched, which a store tells, and when the peer's memory is left alone. */
final class ExpectedSendsTest extends RcFixture {

    private static final int MARK = RECEIVE_CQ + CqContext.RING + Cqe.VENDOR_ERROR;

    private Engine make(boolean shared) {
        Engine engine = make(shared, QueuePairAttributes.RNR_RETRY_FOREVER, 1000);
        CqContext.write(memory, RECEIVE_CQ, 2, CQES, 64, true, false);
        memory.put(MARK, (byte) 7);
        return engine;
    }

    private Engine connected() {
        Engine engine = make(false);
        engine.connect(peer());
        return engine;
    }

    private void leftAlone(Engine engine) {
        engine.expectSends(1);
        assertEquals(7, memory.get(MARK));
    }

    @Test
    void theLineIsFetched() {
        Engine engine = connected();
        engine.expectSends(0);
        engine.expectSends(-1);
        assertEquals(7, memory.get(MARK));
        engine.expectSends(1);
        assertEquals(0, memory.get(MARK));
    }

    @Test
    void notBeforeThereIsAPeer() {
        leftAlone(make(false));
    }

    @Test
    void notOfAPeerThatIsNotReady() {
        Engine engine = connected();
        state(PEER_QP, QueuePairState.ERR);
        leftAlone(engine);
    }

    @Test
    void notWhenTheQpIsNotReady() {
        Engine engine = connected();
        state(QP, QueuePairState.ERR);
        leftAlone(engine);
    }

    @Test
    void notWhereThePeerSharesItsReceives() {
        Engine engine = make(true);
        engine.connect(peer());
        leftAlone(engine);
    }

    /** Whoever has their claim may be another. */
    @Test
    void notWhereMessagesRunChains() {
        Engine engine = make(false);
        Responder peer = peer();
        peer.chains((MessageChains) Proxy.newProxyInstance(MessageChains.class.getClassLoader(),
                new Class<?>[] {MessageChains.class}, (proxy, method, arguments) -> {
                    throw new AssertionError(method.getName());
                }));
        engine.connect(peer);
        leftAlone(engine);
    }

    /** Others may go on with what waits. */
    @Test
    void notWhileSendsWait() {
        Engine engine = connected();
        load(0, send(8, 0));
        engine.ring(1);
        assertTrue(engine.isStalled());
        leftAlone(engine);
    }
}
