package org.jvrpc.runtime.sim;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.server.ServerCore;
import org.jvrpc.runtime.server.setup.ServerOptions;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.sim.device.FabricNetwork;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;

/**
 * A server, a client and its callers, which connect and send over a fabric that loses packets: threads and time are
 * the world's, packets the fabric's. Nothing else goes wrong, so each call is answered, once and rightly.
 */
final class FabricSimulation extends Scenario {

    private static final String ADDRESS = "sim://fabric";
    private static final int CALLERS = 4;

    private final Book book = new Book();
    private final FabricNetwork fabric;

    private FabricSimulation(long seed, double loss, int lostMessage) {
        super(Choices.seeded(seed));
        fabric = FabricNetwork.in(world, seed, loss);
        fabric.losesFirst(lostMessage);
    }

    /** Runs it, and returns the fabric. */
    static FabricNetwork run(long seed, double loss) {
        return run(seed, loss, 0);
    }

    /** As {@link #run(long, double)}, and the first message of connection management with an attribute is lost. */
    static FabricNetwork run(long seed, double loss, int lostMessage) {
        FabricSimulation simulation = new FabricSimulation(seed, loss, lostMessage);
        simulation.runToEnd();
        return simulation.fabric;
    }

    @Override
    void run() {
        SimProcess serverProcess = world.newProcess("server");
        ServerOptions options = new ServerOptions();
        options.address(ADDRESS);
        options.settings().environment(serverProcess.environment());
        options.service(ServiceDescriptor.of(Ledger.class), book.ledger(serverProcess));
        ServerCore[] server = new ServerCore[1];
        await("the server's start", serverProcess.start("main", () -> {
            server[0] = new ServerCore(options);
            server[0].start();
        }));
        SimProcess clientProcess = world.newProcess("client");
        ClientCore[] client = new ClientCore[1];
        await("the connection", clientProcess.start("main", () -> {
            Settings settings = new Settings();
            settings.environment(clientProcess.environment());
            settings.slots(4);
            settings.slotBytes(256);
            client[0] = ClientCore.connect(ADDRESS, settings, List.of());
        }));
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(clientProcess.start("caller-" + i, new Caller(world, book, client[0], i, false, () -> false)));
        }
        callers.forEach(caller -> await("the end of " + caller.getName(), caller));
        await("the client's end", clientProcess.start("end", client[0]::close));
        expectEnd(clientProcess, List.of());
        await("the server's end", serverProcess.start("end", server[0]::close));
        expectEnd(serverProcess, List.of("domain")); // that of its offloads, which goes with the device
        book.checkSent();
        world.run("the end of connections", fabric::isQuiet, STEPS);
    }
}
