package org.jvrpc.router.engine;

/** The same with all messages between them sealed. */
final class SealedHostsTest extends TwoHostsTest {

    @Override
    boolean seals() {
        return true;
    }
}
