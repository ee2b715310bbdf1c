package org.jvrpc.runtime.inproc;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Sessions within a process under the contract. */
interface InprocUnderTest extends RpcUnderTest {

    AtomicInteger COUNT = new AtomicInteger();

    @Override
    default String newAddress() {
        return "inproc://contract-" + COUNT.incrementAndGet();
    }

    /** What two processors move in a second or two. */
    @Override
    default long longestBody() {
        return 256L << 20;
    }
}
