package org.jvrpc.samples.zookeeper;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.JvrpcServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;

/** A JVM with a ZooKeeper server that has the plugin, to be killed; and a JVM with a client, to be killed as well. */
public final class ServerProcess {

    private ServerProcess() {
    }

    /** Starts a single server and waits until it serves. */
    public static ChildJvm single(Path folder, int port) {
        return ready(start(folder, "single", folder.toString(), Integer.toString(port)));
    }

    /** Starts a server of an ensemble by its configuration; who connects sees when it serves. */
    static ChildJvm ofEnsemble(Path folder, Path config) {
        return start(folder, "ensemble", config.toString());
    }

    /** Starts a client that makes an ephemeral node and waits until it has. */
    public static ChildJvm client(Path folder, String address, String path) {
        return ready(start(folder, "client", address, path));
    }

    private static ChildJvm ready(ChildJvm child) {
        child.expect("READY");
        return child;
    }

    private static ChildJvm start(Path folder, String... arguments) {
        JavaCommand command = JavaCommand.of(ServerProcess.class).option("-Xmx256m");
        String template = System.getProperty(JvrpcAddress.PROPERTY);
        if (template != null) {
            command.property(JvrpcAddress.PROPERTY, template);
        }
        return command.property("zookeeper.serverCnxnFactory", JvrpcServerCnxnFactory.class.getName())
                .property("zookeeper.admin.enableServer", false).property("zookeeper.4lw.commands.whitelist", "*")
                .property("own.log", folder.resolve("server.log")).arguments(arguments).start();
    }

    /** What runs in it. */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "single" -> {
                File folder = new File(args[1]);
                ServerCnxnFactory factory = ServerCnxnFactory.createFactory(
                        new InetSocketAddress("127.0.0.1", Integer.parseInt(args[2])), 100);
                factory.startup(new ZooKeeperServer(folder, folder, 500));
            }
            case "client" -> {
                PluginServer.Events events = new PluginServer.Events();
                ZKClientConfig config = new ZKClientConfig();
                config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, PluginServer.JVRPC);
                ZooKeeper client = new ZooKeeper(args[1], 4000, events, false, config);
                events.await(KeeperState.SyncConnected);
                client.create(args[2], new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            }
            default -> QuorumPeerMain.main(new String[] {args[1]});
        }
        Parent.say("READY");
        Parent.idle();
    }
}
