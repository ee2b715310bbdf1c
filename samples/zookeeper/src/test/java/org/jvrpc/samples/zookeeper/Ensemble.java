package org.jvrpc.samples.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.jvrpc.testing.ChildJvm;

/** Three servers with the plugin, each a process. */
final class Ensemble implements AutoCloseable {

    private static final int SERVERS = 3;
    private static final int BOUND_S = 90;

    private final List<ChildJvm> servers = new ArrayList<>();
    private final int[] clientPorts = new int[SERVERS];

    /** Starts them, and waits until one leads. */
    Ensemble(Path folder) throws IOException {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < SERVERS; i++) {
            clientPorts[i] = Ports.free();
            members.append("server.").append(i + 1).append("=127.0.0.1:").append(Ports.free())
                    .append(':').append(Ports.free()).append('\n');
        }
        for (int i = 0; i < SERVERS; i++) {
            Path own = Files.createDirectories(folder.resolve("server" + (i + 1)));
            Files.writeString(own.resolve("myid"), Integer.toString(i + 1));
            Path config = own.resolve("zoo.cfg");
            Files.writeString(config, "tickTime=500\ninitLimit=20\nsyncLimit=10\ndataDir=" + own + "\nclientPort="
                    + clientPorts[i] + "\n" + members);
            servers.add(ServerProcess.ofEnsemble(own, config));
        }
        awaitLeader("a leader is elected", -1);
    }

    String addresses() {
        return "127.0.0.1:" + clientPorts[0] + ",127.0.0.1:" + clientPorts[1] + ",127.0.0.1:" + clientPorts[2];
    }

    ChildJvm server(int number) {
        return servers.get(number);
    }

    /** Returns who leads, -1 when nobody does. @param not who is not asked, -1 for nobody */
    private int leader(int not) {
        for (int i = 0; i < SERVERS; i++) {
            try {
                if (i != not && FourLetterWordMain.send4LetterWord("127.0.0.1", clientPorts[i], "srvr")
                        .contains("Mode: leader")) {
                    return i;
                }
            } catch (Exception e) {
                continue; // it isn't up, or not any more
            }
        }
        return -1;
    }

    /** Returns the one who was seen to lead: in the next moment it may be nobody. */
    int awaitLeader(String what, int not) {
        AtomicInteger seen = new AtomicInteger();
        PluginServer.until(what, BOUND_S, () -> {
            seen.set(leader(not));
            return seen.get() >= 0;
        });
        return seen.get();
    }

    @Override
    public void close() {
        servers.forEach(ChildJvm::close);
    }
}
