package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ThirdEnd;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.file.FileView;

/** A router in a process of its own, with the tenants of its control file. */
public final class RouterEnd implements ThirdEnd {

    private FileView view;
    private RouterServer server;

    @Override
    public void start(Path directory) throws IOException {
        view = new FileView(RouterPlace.control(directory), RouterPlace.HOST);
        boolean allowRoot = true; // where the benchmark's own user is root and may not be another
        server = RouterServer.start(
                new RouterServer.Settings(RouterPlace.run(directory, RouterPlace.HOST), RouterPlace.HOST, true, true,
                        allowRoot), view,
                RouterEnd::print);
    }

    /** Writes an event to the process's log. */
    static void print(TenantId tenant, String what, Refusal refusal, String detail) {
        System.err.println(tenant + " " + what + " " + refusal + " " + detail);
    }

    @Override
    public void close() {
        server.close();
        view.close();
    }
}
