package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.benchmarks.harness.Programs;
import org.jvrpc.benchmarks.harness.Walls;

/** The users of a router and its tenants: others for each, where the system lets this one be them, else this one. */
public final class Users {

    private static final int ROUTER = 169_000;
    private static final int SERVER = 170_001;
    private static final int CLIENT = 170_002;
    private static final int PATIENCE_S = 20;

    private static Users found;

    private final int own;
    private final boolean apart;

    private Users(int own, boolean apart) {
        this.own = own;
        this.apart = apart;
    }

    /** Returns what this system allows; tried once. */
    public static synchronized Users find() throws IOException {
        if (found == null) {
            int own = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            found = new Users(own, own == 0 && Programs.find("setpriv") != null && canRunJava());
        }
        return found;
    }

    /** Java may lie where others cannot go. */
    private static boolean canRunJava() {
        List<String> command = new ArrayList<>(as(CLIENT));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-version");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static List<String> as(int user) {
        String number = Integer.toString(user);
        return List.of("setpriv", "--reuid", number, "--regid", number, "--clear-groups", "--bounding-set", "-all",
                "--no-new-privs");
    }

    /** Returns true when router and tenants are users of their own. */
    boolean areApart() {
        return apart;
    }

    /** Returns the user of a contender's process, who is also its group where users are apart. */
    int of(String end) {
        if (!apart) {
            return own;
        }
        return switch (end) {
            case Walls.THIRD -> ROUTER;
            case Walls.SERVER -> SERVER;
            default -> CLIENT;
        };
    }

    /** Returns what to put before a command of one of a contender's processes. */
    List<String> prefix(String end) {
        return apart ? as(of(end)) : List.of();
    }

    /** Gives a file away. */
    void give(Path path, int user, int group) throws IOException {
        if (apart) {
            Files.setAttribute(path, "unix:gid", group);
            Files.setAttribute(path, "unix:uid", user);
        }
    }

    /** Says who is who. */
    public String describe() {
        return apart ? "the router runs as user " + ROUTER + ", its tenants as users " + SERVER + " and " + CLIENT
                : "one user for router and tenants: this one may not be others, so there are no walls between them";
    }
}
