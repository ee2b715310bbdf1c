package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.archive.Product;

/** The archive, unpacked into the layout of ZooKeeper's own: what its scripts do, and a server that runs. */
class ArchiveTest {

    private static final String JAR = "lib/jvrpc-zookeeper-plugin-%s-all.jar";
    private static final String FACTORY = "serverCnxnFactory=org.apache.zookeeper.server.JvrpcServerCnxnFactory";

    @TempDir
    private Path folder;
    private Product product;

    /** The layout of the archive apache-zookeeper-3.9.x-bin. */
    @BeforeEach
    void unpackBoth() throws IOException {
        product = Product.in(folder.resolve("apache-zookeeper"));
        product.file("lib/zookeeper-" + Version.getVersion() + ".jar", "as released");
        product.file("lib/zookeeper-jute-" + Version.getVersion() + ".jar", "as released");
        product.file("conf/zoo_sample.cfg", "tickTime=2000\n");
        product.file("conf/zoo.cfg", "tickTime=500\ndataDir=" + folder.resolve("data") + "\nclientPort=2181\n");
        product.unpack();
    }

    /** Serves as {@code bin/zkServer.sh start-foreground} does. */
    static final class Server {

        private Server() {
        }

        /** @param args the configuration */
        public static void main(String[] args) throws InterruptedException {
            Thread server = new Thread(() -> QuorumPeerMain.main(args), "server");
            server.setDaemon(true);
            server.start();
            Parent.idle();
        }
    }

    /** Calls as an application of another process does, by the jars of ZooKeeper's folder. */
    static final class Client {

        private Client() {
        }

        /** @param args the address */
        public static void main(String[] args) throws Exception {
            PluginServer.Events events = new PluginServer.Events();
            ZKClientConfig config = new ZKClientConfig();
            config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, PluginServer.JVRPC);
            ZooKeeper client = new ZooKeeper(args[0], 20_000, events, false, config);
            events.await(KeeperState.SyncConnected);
            client.create("/node", new byte[] {7}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            Parent.say("CALLED " + client.getData("/node", false, null)[0]);
            client.close();
        }
    }

    @Test
    void theServerOfTheFolderServesByJvrpcOnceItIsInstalled() throws Exception {
        int port = Ports.free();
        product.putJars("lib", "jvrpc-|junit|jmockit|mockito|byte-buddy|curator|kryo|objenesis|minlog|reflectasm|jnr-"
                + "|jffi|asm|.*-tests");
        product.file("conf/zoo.cfg", "tickTime=500\ndataDir=" + folder.resolve("data") + "\nclientPort=" + port
                + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false");
        product.run("install");
        // What bin/zkEnv.sh makes: the settings and each jar of lib; and the classes that these processes begin with.
        String classPath = product.classPath("conf", "lib/*");
        try (ChildJvm server = JavaCommand.of(Server.class).classPath(classPath)
                .property("zookeeper.log.dir", folder).arguments(product.path("conf/zoo.cfg").toString()).start();
             ChildJvm client = JavaCommand.of(Client.class).classPath(classPath)
                     .arguments("127.0.0.1:" + port).start()) {
            assertEquals("7", client.expect("CALLED"));
            client.expectEnd();
            assertTrue(server.isAlive());
        }
    }

    @Test
    void aDryRunChangesNothingAndASecondRunHasNothingToChange() throws Exception {
        String before = product.state();
        List<String> dry = product.run("install", "--dry-run", "--client");
        assertEquals(before, product.state());
        List<String> done = product.run("install", "--client");
        assertEquals(dry.stream().filter(line -> line.startsWith("would ")).map(line -> line.substring(6)).toList(),
                done.subList(0, done.size() - 1));
        assertTrue(Files.readString(product.path("conf/zoo.cfg")).contains(FACTORY));
        assertTrue(Files.exists(product.path(JAR.formatted(product.version()))));
        String installed = product.state();
        assertTrue(product.run("install", "--client").get(0).startsWith("Nothing to change"));
        assertEquals(installed, product.state());
    }

    @ParameterizedTest
    @ValueSource(strings = {"clientPort=2181\n", "clientPort=2181", "", "clientPort=2181\n\n"})
    void uninstallLeavesWhatWasThereBefore(String settings) throws Exception {
        product.file("conf/zoo.cfg", settings);
        product.file("conf/java.env", "export JVMFLAGS=-Xmx1g");
        String before = product.state();
        product.run("install", "--client");
        assertNotEquals(before, product.state());
        product.run("uninstall");
        assertEquals(before, product.state());
        assertTrue(product.run("uninstall").get(0).startsWith("Nothing to change"));
    }

    @Test
    void anOlderVersionGoesAndIsNamed() throws Exception {
        product.file(JAR.formatted("0.0.1"), "old");
        product.file("jvrpc/" + JAR.formatted("0.0.1"), "old");
        List<String> said = product.run("install");
        assertTrue(said.contains("remove  " + JAR.formatted("0.0.1") + ", of another version than "
                + product.version()), said.toString());
        assertFalse(Files.exists(product.path(JAR.formatted("0.0.1"))));
        assertFalse(Files.exists(product.path("jvrpc/" + JAR.formatted("0.0.1"))));
    }

    @Test
    void anotherLineIsRefusedByItsVersion() throws Exception {
        Files.delete(product.path("lib/zookeeper-" + Version.getVersion() + ".jar"));
        product.refused("no Apache ZooKeeper in");
        product.file("lib/zookeeper-3.8.6.jar", "as released");
        product.refused("the plugin is made for ZooKeeper 3.9.x, this is 3.8.6");
        product.file("lib/zookeeper-3.9.5.jar", "as released");
        product.refused("in versions 3.8.6 3.9.5");
    }

    @Test
    void whatOthersChoseIsNotOverwritten() throws Exception {
        product.file("conf/zoo.cfg", "clientPort=2181\n"
                + "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory\n");
        product.refused("conf/zoo.cfg, line 2, has the server use another transport");
        product.file("conf/zoo.cfg", "clientPort=2181\n# jvRPC plugin: begin\n");
        product.refused("has only one of the lines");
        product.file("conf/zoo.cfg", "clientPort=2181\n");
        product.file("lib/jvrpc-runtime-0.1.0.jar", "by hand");
        product.refused("lib/jvrpc-runtime-0.1.0.jar is jvRPC, too");
    }
}
