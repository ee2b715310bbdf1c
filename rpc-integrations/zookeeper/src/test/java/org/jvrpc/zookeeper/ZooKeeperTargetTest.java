package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ZooKeeperTargetTest {

    @Test
    void aTargetNamesHostsAndAService() {
        ZooKeeperTarget target = ZooKeeperTarget.parse("zk://a:2182,b,[::1]:2183/org.jvrpc.Orders");
        assertEquals("a:2182,b:2181,[::1]:2183", target.ensemble());
        assertEquals("/services/org.jvrpc.Orders", target.servicePath());
        assertEquals(Duration.ofSeconds(10), target.sessionTimeout());
        assertNull(target.authFile());
        assertTrue(target.readable());
    }

    @Test
    void optionsStandBehindIt() {
        ZooKeeperTarget target =
                ZooKeeperTarget.parse("zk://a/orders?base=/x/y&session-timeout=4s&auth-file=/etc/zk-auth");
        assertEquals("/x/y/orders", target.servicePath());
        assertEquals(Duration.ofSeconds(4), target.sessionTimeout());
        assertEquals(Path.of("/etc/zk-auth"), target.authFile());
        assertFalse(target.readable());
        assertTrue(ZooKeeperTarget.parse("zk://a/orders?auth-file=f&read=world").readable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"zk://", "zk:///orders", "zk://a", "zk://a/", "zk://a/..", "zk://a/o/p", "zk://a:0/o",
        "zk://a:65536/o", "zk://a,,b/o", "zk://user:password@a/o", "zk://a/o?", "zk://a/o?x=1", "zk://a/o?base",
        "zk://a/o?base=x", "zk://a/o?base=/", "zk://a/o?base=/zookeeper/config", "zk://a/o?base=/a/../b",
        "zk://a/o?session-timeout=1s", "zk://a/o?session-timeout=601s", "zk://a/o?session-timeout=5",
        "zk://a/o?auth-file=", "zk://a/o?read=world", "zk://a/o?auth-file=f&read=me", "zk://a/o?base=/x&base=/x",
        "zk://a/o\n", "zk://a b/o"})
    void whatIsNoTargetIsRefusedWithItsText(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> ZooKeeperTarget.parse(text));
        assertTrue(e.getMessage().contains(text), e::getMessage);
    }
}
