package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.benchmarks.harness.Walls;

/**
 * A network name space for each end, and a veth pair between them, which ends with them. The client's shell makes it,
 * as the server's name space is there by then. Where this user may not, both ends stay where they are.
 */
public final class NetworkWalls implements Walls {

    /** The server's address in its name space. */
    static final String SERVER_HOST = "10.78.77.1";

    private static final String CLIENT_HOST = "10.78.77.2";
    private static final String PID = "server.pid";
    private static final int PATIENCE_S = 20;
    private static Boolean found;

    /** Returns whether this system lets us make such name spaces; tried once. */
    public static synchronized boolean arePossible() {
        if (found == null) {
            found = succeeds("unshare", "-n", "sh", "-c",
                    "ip link add c0 type veth peer name s0 && ip addr add " + CLIENT_HOST + "/24 dev c0"
                            + " && command -v nsenter");
        }
        return found;
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false; // it is not installed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Tells a server, in its process, whether it has a name space of its own. @param folder of its contender */
    static boolean areAround(Path folder) {
        return Files.exists(folder.resolve(PID));
    }

    @Override
    public void prepare(Path folder) {
        // the server's shell says where it is
    }

    @Override
    public List<String> prefix(String end, Path folder) {
        if (!arePossible()) {
            return List.of();
        }
        String pid = folder.resolve(PID).toString();
        String script = end.equals(SERVER)
                ? "echo $$ > " + pid + " && ip link set lo up && exec \"$@\""
                : "s=$(cat " + pid + ") && ip link set lo up && ip link add c0 type veth peer name s0 netns $s"
                        + " && ip addr add " + CLIENT_HOST + "/24 dev c0 && ip link set c0 up"
                        + " && nsenter -t $s -n ip addr add " + SERVER_HOST + "/24 dev s0"
                        + " && nsenter -t $s -n ip link set s0 up && exec \"$@\"";
        return List.of("unshare", "-n", "sh", "-c", script, "sh");
    }
}
