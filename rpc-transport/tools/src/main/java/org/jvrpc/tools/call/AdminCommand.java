package org.jvrpc.tools.call;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.admin.Admin;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.api.admin.Setting;
import org.jvrpc.recording.json.Json;
import picocli.CommandLine.Command;

/** {@code jvrpc admin ADDRESS}. */
@Command(name = "admin",
        description = {"Prints the sessions of a server that was made with admin(true), and what it was made with.",
            RemoteCommand.CODES})
public final class AdminCommand extends RemoteCommand {

    /** For the command line. */
    public AdminCommand() {
    }

    @Override
    int run(Remote server, PrintWriter out) {
        Admin admin;
        try {
            admin = server.client().stub(Admin.class, server.options());
        } catch (RpcException e) {
            if (isUnknown(e)) {
                throw new UndescribedException("the server at " + server.client().address()
                        + " does not tell of its sessions: make it with admin(true)", e);
            }
            throw e;
        }
        List<SessionInfo> sessions = admin.sessions();
        List<Setting> settings = admin.settings();
        if (isJson()) {
            out.println(Json.write(asJson(sessions, settings), false));
        } else {
            print(sessions, settings, out);
        }
        return 0;
    }

    private static void print(List<SessionInfo> sessions, List<Setting> settings, PrintWriter out) {
        out.printf("%-12s %-10s %-24s %s%n", "SESSION", "OPEN CALLS", "PEER", "PRINCIPAL");
        for (SessionInfo session : sessions) {
            out.printf("%-12s %-10d %-24s %s%n", Long.toHexString(session.id()), session.openCalls(),
                    session.peer() == null ? "this host" : session.peer(), session.principal());
        }
        out.println();
        settings.forEach(setting -> out.printf("%-30s %s%n", setting.name(), setting.value()));
    }

    private static Map<String, Object> asJson(List<SessionInfo> sessions, List<Setting> settings) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("sessions", sessions.stream().map(AdminCommand::asJson).toList());
        Map<String, Object> made = new LinkedHashMap<>();
        settings.forEach(setting -> made.put(setting.name(), setting.value()));
        all.put("settings", made);
        return all;
    }

    private static Map<String, Object> asJson(SessionInfo session) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", Long.toHexString(session.id()));
        members.put("peer", session.peer());
        members.put("principal", session.principal());
        members.put("openCalls", session.openCalls());
        return members;
    }
}
