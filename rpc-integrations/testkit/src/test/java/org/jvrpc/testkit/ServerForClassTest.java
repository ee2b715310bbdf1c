package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testkit.script.Script;

/** A server that all tests of a class have. */
@WithJvrpc(scripting = Orders.class, perClass = true)
final class ServerForClassTest {

    private static RpcServer first;

    @Test
    void isTheSameInEachTest(RpcServer server, Script<Orders> script, Orders orders) {
        first = first == null ? server : first;
        assertSame(first, server);
        script.when(o -> o.note(1)).answer("one");
        assertEquals("one", orders.note(1));
    }

    @Test
    void isTheSameInEachTestAndItsScriptIsNew(RpcServer server, Script<Orders> script) {
        first = first == null ? server : first;
        assertSame(first, server);
        assertNotNull(script);
        assertEquals(0, script.calls().size());
    }
}
