package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.archive.Product;

/** The archive, unpacked into the layout of Hadoop's own: what its scripts do, and a NameNode that runs. */
class ArchiveTest {

    private static final String COMMON = "share/hadoop/common";
    private static final String JAR = "lib/jvrpc-hdfs-%s-all.jar";
    private static final String SETTINGS = "etc/hadoop/core-site.xml";
    private static final String EMPTY = """
            <?xml version="1.0"?>
            <!-- Settings of this site go before </configuration>. -->
            <configuration>
            </configuration>
            """;
    private static final String ENGINE = "rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB";

    @TempDir
    private Path folder;
    private Product product;

    /** The layout of the archive hadoop-3.5.0. */
    @BeforeEach
    void unpackBoth() throws IOException {
        product = Product.in(folder.resolve("hadoop-3.5.0"));
        product.file(COMMON + "/hadoop-common-3.5.0.jar", "as released");
        product.file(COMMON + "/hadoop-common-3.5.0-tests.jar", "as released");
        product.file(COMMON + "/lib/guava.jar", "as released");
        product.file("share/hadoop/hdfs/hadoop-hdfs-3.5.0.jar", "as released");
        product.file(SETTINGS, EMPTY);
        product.unpack();
    }

    /** A NameNode as {@code bin/hdfs namenode} starts it; says when it serves. */
    static final class Server {

        private Server() {
        }

        /** @param args those of the NameNode: {@code -format} ends with its status */
        public static void main(String[] args) throws Exception {
            NameNode.createNameNode(args, new HdfsConfiguration());
            Parent.say("SERVES");
            Parent.idle();
        }
    }

    /** What {@code bin/hdfs dfs} runs. */
    static final class Shell {

        private Shell() {
        }

        /** @param args those of the shell */
        public static void main(String[] args) throws Exception {
            FsShell.main(args);
        }
    }

    private static String property(String name, Object value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
    }

    /** Returns a command with the class path that Hadoop's launcher makes, and what the process begins with. */
    private JavaCommand command(Class<?> main) {
        return JavaCommand.of(main).option("-Xmx256m").classPath(product.classPath("etc/hadoop", COMMON + "/lib/*",
                COMMON + "/*", "share/hadoop/hdfs", "share/hadoop/hdfs/lib/*", "share/hadoop/hdfs/*"));
    }

    @Test
    void theNameNodeOfTheFolderServesByJvrpcOnceItIsInstalled() throws Exception {
        String ours = "jvrpc-|junit|kryo|objenesis|minlog|reflectasm|jnr-|jffi|asm";
        product.putJars(COMMON, ours + "|(?!hadoop-common-3.5.0.jar)");
        product.putJars("share/hadoop/hdfs", ours + "|(?!hadoop-hdfs-).|hadoop-hdfs-3.5.0-tests");
        product.putJars(COMMON + "/lib", ours + "|hadoop-common-|hadoop-hdfs-");
        product.file("share/hadoop/hdfs/webapps/hdfs/index.html", "as released");
        product.file("share/hadoop/hdfs/webapps/static/hadoop.css", "as released");
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        product.file(SETTINGS, "<configuration>\n" + property("fs.defaultFS", "hdfs://127.0.0.1:" + port)
                + property("hadoop.tmp.dir", folder.resolve("data")) + property("jvrpc.hdfs.fallback", false)
                + "</configuration>");
        product.file("etc/hadoop/hdfs-site.xml", "<configuration>\n"
                + property("dfs.namenode.http-address", "127.0.0.1:0") + property("dfs.namenode.safemode.extension", 0)
                + "</configuration>\n");
        product.run("install");
        try (ChildJvm format = command(Server.class).arguments("-format", "-nonInteractive").start()) {
            format.expectEnd();
        }
        try (ChildJvm server = command(Server.class).start()) {
            server.expect("SERVES");
            try (ChildJvm shell = command(Shell.class).arguments("-mkdir", "/made").start()) {
                shell.expectEnd();
            }
            try (ChildJvm shell = command(Shell.class).arguments("-ls", "/").start()) {
                shell.expectEnd();
                assertTrue(shell.output().stream().anyMatch(line -> line.endsWith(" /made")), shell.toString());
            }
        }
    }

    @Test
    void aDryRunChangesNothingAndASecondRunHasNothingToChange() throws Exception {
        String before = product.state();
        List<String> dry = product.run("install", "--dry-run");
        assertEquals(before, product.state());
        List<String> done = product.run("install");
        assertEquals(dry.stream().filter(line -> line.startsWith("would ")).map(line -> line.substring(6)).toList(),
                done.subList(0, done.size() - 1));
        assertEquals("org.jvrpc.hdfs.JvrpcRpcEngine", setting());
        assertTrue(Files.exists(product.path(COMMON + "/" + JAR.formatted(product.version()))));
        String installed = product.state();
        assertTrue(product.run("install").get(0).startsWith("Nothing to change"));
        assertEquals(installed, product.state());
    }

    private String setting() {
        HdfsConfiguration read = new HdfsConfiguration(false);
        read.addResource(new org.apache.hadoop.fs.Path(product.path(SETTINGS).toUri()));
        return read.get(ENGINE);
    }

    @ParameterizedTest
    @ValueSource(strings = {EMPTY, "<configuration></configuration>", "<configuration>\n\n  </configuration>  \n\n"})
    void uninstallLeavesWhatWasThereBefore(String settings) throws Exception {
        product.file(SETTINGS, settings);
        String before = product.state();
        product.run("install");
        assertNotEquals(before, product.state());
        assertEquals("org.jvrpc.hdfs.JvrpcRpcEngine", setting());
        product.run("uninstall");
        assertEquals(before, product.state());
        assertTrue(product.run("uninstall").get(0).startsWith("Nothing to change"));
    }

    @Test
    void anOlderVersionGoesAndIsNamed() throws Exception {
        String old = COMMON + "/" + JAR.formatted("0.0.1");
        product.file(old, "old");
        product.file("jvrpc/" + JAR.formatted("0.0.1"), "old");
        List<String> said = product.run("install");
        assertTrue(said.contains("remove  " + old + ", of another version than " + product.version()), said.toString());
        assertFalse(Files.exists(product.path(old)));
        assertFalse(Files.exists(product.path("jvrpc/" + JAR.formatted("0.0.1"))));
    }

    @Test
    void anotherReleaseIsRefusedByItsVersion() throws Exception {
        Files.delete(product.path(COMMON + "/hadoop-common-3.5.0.jar"));
        product.refused("no Apache Hadoop in");
        product.file(COMMON + "/hadoop-common-3.4.3.jar", "as released");
        product.refused("the plugin is made for Hadoop 3.5.0, this is 3.4.3");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "<configuration><property><name>" + ENGINE + "</name><value>x</value></property></configuration>",
        "<configuration/>", "<configuration></configuration><!-- </configuration> -->",
        "<configuration><!-- jvRPC plugin: begin --></configuration>"})
    void whatOthersWroteIsNotOverwritten(String settings) throws Exception {
        product.file(SETTINGS, settings);
        product.refused(SETTINGS);
    }

    @Test
    void aPropertySetByHandStays() throws Exception {
        product.file(SETTINGS, "<configuration>\n" + property(ENGINE, "org.jvrpc.hdfs.JvrpcRpcEngine")
                + "</configuration>\n");
        List<String> said = product.run("install");
        assertTrue(said.get(0).startsWith("note: " + SETTINGS), said.toString());
    }
}
