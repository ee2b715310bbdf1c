package org.jvrpc.tools;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.jvrpc.api.admin.Admin;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.api.admin.Setting;
import org.jvrpc.runtime.RpcServer;

/**
 * Asks a server in this JVM what {@code jvrpc} asks servers, and prints nothing: an archive of the classes that this
 * loads has the command answer sooner. Exit codes: 0; 1 when a command failed.
 */
public final class Rehearsal {

    private static final String HEALTH = "org.jvrpc.api.health.Health";

    private Rehearsal() {
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        System.exit(failed());
    }

    /** A server has a service of its own, and this one needs no code that a processor writes. */
    private static final class Nothing implements Admin {

        @Override
        public List<SessionInfo> sessions() {
            return List.of();
        }

        @Override
        public List<Setting> settings() {
            return List.of();
        }
    }

    /** Returns how many commands failed. */
    static int failed() {
        PrintStream out = System.out;
        int failed = 0;
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Admin.class, new Nothing())
                .reflection(true).start()) {
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            String[][] commands = {{"list", server.address()}, {"describe", server.address(), HEALTH},
                {"call", server.address(), HEALTH + "/check", HEALTH}, {"health", server.address()},
                {"admin", server.address()}};
            for (String[] command : commands) {
                failed += Jvrpc.run(command) == 0 ? 0 : 1;
            }
        } finally {
            System.setOut(out);
        }
        return failed;
    }
}
