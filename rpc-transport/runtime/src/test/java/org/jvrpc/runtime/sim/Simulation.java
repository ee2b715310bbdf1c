package org.jvrpc.runtime.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.client.ClientAudit;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.server.ServerCore;
import org.jvrpc.runtime.server.setup.ServerOptions;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.sim.device.Network;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.VerbsException;

/**
 * One run of servers, a client and a visitor in a {@link World}: calls of all kinds under the faults that choices say,
 * and what must hold of them. A call ends once, with its own answer or a status that the faults allow, and runs once at
 * most; when the faults are over, calls work again; in the end nothing is left.
 */
final class Simulation extends Scenario {

    private static final String ADDRESS = "sim://ledger";
    private static final long SOON_NS = 1_000_000;
    private static final int TRIES = 2000;

    private final Book book = new Book();
    private final Faults faults;
    private final List<Thread> callers = new ArrayList<>();
    private final List<ServerCore> servers = new ArrayList<>();
    private final List<Thread> starts = new ArrayList<>();
    private final List<SimProcess> serverProcesses = new ArrayList<>();
    private SimProcess clientProcess;
    private SimProcess visitorProcess;
    private ClientCore client;
    private boolean hasFaults;
    private long lastCalls;

    private Simulation(Choices choices) {
        super(choices);
        this.faults = new Faults(world, this);
    }

    /** Runs one. @throws Violation when something does not hold */
    static World run(Choices choices) {
        Simulation simulation = new Simulation(choices);
        return simulation.runToEnd();
    }

    @Override
    void run() {
        hasFaults = choices.rarely(2);
        Network.of(world).manners(choices.rarely(3) ? 0 : 4 << choices.pick(4), 0);
        await("the server's start", startServer());
        clientProcess = world.newProcess("client");
        visitorProcess = world.newProcess("visitor");
        int slots = 1 + choices.pick(4);
        await("the connection", clientProcess.start("main", () -> client = connect(clientProcess, slots)));
        if (hasFaults) {
            Network.of(world).manners(4 << choices.pick(4), 16 << choices.pick(4));
            faults.begin();
            book.hasFaults();
        }
        int threads = 1 + choices.pick(3);
        for (int t = 0; t < threads; t++) {
            Caller caller = new Caller(world, book, client, t, hasFaults, faults::loseAnswers);
            callers.add(clientProcess.start("caller-" + t, caller));
        }
        Thread visit = choices.rarely(2) ? visitorProcess.start("main", () -> visit(threads)) : null;
        for (Thread caller : callers) {
            await("the end of " + caller.getName(), caller);
        }
        faults.end();
        Network.of(world).manners(0, 0);
        if (visit != null && !visitorProcess.isDead()) {
            await("the visitor's end", visit);
        }
        for (SimProcess process : serverProcesses) {
            if (!process.isDead()) {
                await("the answers of hung calls", process.start("release", () -> book.release(process)));
            }
        }
        await("a call after all", clientProcess.start("last", this::lastCall));
        await("the client's rest", clientProcess.start("rest", this::comeToRest));
        await("the client's end", clientProcess.start("end", client::close));
        expectEnd(clientProcess, List.of());
        expectEnd(visitorProcess, List.of());
        for (int i = 0; i < servers.size(); i++) {
            SimProcess process = serverProcesses.get(i);
            if (!process.isDead()) {
                await("a server's start", starts.get(i)); // for which its predecessor's end was waited for
                await("a server's end", process.start("end", servers.get(i)::close));
                expectEnd(process, List.of("domain")); // that of its offloads, which goes with the device
            }
        }
        book.checkSent();
    }

    // ---- processes

    private Thread startServer() {
        SimProcess process = world.newProcess("server-" + serverProcesses.size());
        ServerOptions options = new ServerOptions();
        options.address(ADDRESS);
        options.settings().environment(process.environment());
        options.settings().idle(choices.rarely(4) ? IdleStrategy.ADAPTIVE : IdleStrategy.BLOCK);
        options.settings().pollers(choices.rarely(4) ? 2 : 1);
        options.service(ServiceDescriptor.of(Ledger.class), book.ledger(process));
        serverProcesses.add(process);
        servers.add(null);
        int index = servers.size() - 1;
        Thread start = process.start("main", () -> {
            for (int tries = 0; servers.get(index) == null; tries++) {
                try {
                    ServerCore core = new ServerCore(options);
                    core.start();
                    servers.set(index, core);
                } catch (VerbsException e) { // its predecessor still has the address
                    if (tries == TRIES) {
                        throw new Violation("no server starts", e);
                    }
                    process.parkNanos(this, SOON_NS);
                }
            }
        });
        starts.add(start);
        return start;
    }

    private ClientCore connect(SimProcess process, int slots) {
        Settings settings = new Settings();
        settings.environment(process.environment());
        settings.slots(slots);
        settings.initialSlots(1 + choices.pick(slots));
        settings.slotBytes(256);
        if (hasFaults) {
            settings.deadline(Duration.ofNanos(200_000L << choices.pick(12)));
            settings.renewAfter(Duration.ofMillis(10L << choices.pick(6)));
        }
        settings.idle(choices.rarely(4) ? IdleStrategy.ADAPTIVE : IdleStrategy.BLOCK);
        return ClientCore.connect(ADDRESS, settings, List.of());
    }

    /** Comes, calls and leaves, if it may. */
    private void visit(int number) {
        try (ClientCore core = connect(visitorProcess, 1)) {
            new Caller(world, book, core, number, hasFaults, faults::loseAnswers).run();
        } catch (RpcException e) {
            if (!hasFaults) {
                throw e;
            }
        }
    }

    private void lastCall() {
        ServiceDescriptor<Ledger> descriptor = ServiceDescriptor.of(Ledger.class);
        for (int tries = 0;; tries++) {
            try {
                Ledger calls = descriptor.stub(client.channel(descriptor, CallOptions.DEFAULT));
                long number = Long.MAX_VALUE - lastCalls++;
                if (calls.light(number) != ~number) {
                    throw new Violation("the last call got another's answer");
                }
                return;
            } catch (RpcException e) {
                if (!hasFaults || tries == TRIES) {
                    throw new Violation("calls do not work any more: " + e + world.stacks(), e);
                }
                clientProcess.parkNanos(this, SOON_NS);
            }
        }
    }

    /** Calls until nothing is left of the calls before: whoever calls takes late answers, too. */
    private void comeToRest() {
        for (int tries = 0; ClientAudit.unrest(client) != null; tries++) {
            if (tries == TRIES) {
                throw new Violation("the client does not come to rest: " + ClientAudit.unrest(client) + world.stacks());
            }
            lastCall();
            clientProcess.parkNanos(this, SOON_NS);
        }
    }

    // ---- what befalls them

    SimProcess serverProcess() {
        return serverProcesses.get(serverProcesses.size() - 1);
    }

    SimProcess clientProcess() {
        return clientProcess;
    }

    /** Another server follows. */
    void killServer() {
        if (servers.get(servers.size() - 1) != null) {
            serverProcess().kill();
            startServer();
        }
    }

    /** Another server follows. */
    void drainServer() {
        ServerCore last = servers.get(servers.size() - 1);
        if (last != null) {
            serverProcess().start("drain", last::shutdown);
            startServer();
        }
    }

    void killVisitor() {
        visitorProcess.kill();
    }

    void interruptCaller() {
        if (!callers.isEmpty()) {
            callers.get(choices.pick(callers.size())).interrupt();
        }
    }
}
