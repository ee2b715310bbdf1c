package org.jvrpc.samples.zookeeper.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some of ZooKeeper's own tests over the plugin; {@code own-tests} runs them all. */
class OwnSubsetTest {

    @ParameterizedTest
    @ValueSource(strings = {"NullDataTest", "AsyncOpsTest", "MultiOperationTest", "FourLetterWordsTest", "CreateTest"})
    void zooKeepersOwnTestPasses(String name) throws Exception {
        assertEquals(0, new OwnTests("--limit", "110", name).run(), "see target/own-tests");
    }

    @Test
    void theSelectionHasWhatHasAServerAndSaysWhyItLeavesTheRestOut() throws Exception {
        Map<String, String> classes = new Selection(Selection.onClassPath("zookeeper-[0-9.]+-tests\\.jar")).classes();
        assertEquals("", classes.get("org.apache.zookeeper.test.ClientTest"));
        assertEquals("", classes.get("org.apache.zookeeper.test.ReconfigTest"));
        assertEquals("names the NIO classes", classes.get("org.apache.zookeeper.server.NIOServerCnxnTest"));
        assertTrue(classes.get("org.apache.zookeeper.test.CreateModeTest").startsWith("has no server"));
    }
}
