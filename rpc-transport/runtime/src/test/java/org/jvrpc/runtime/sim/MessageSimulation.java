package org.jvrpc.runtime.sim;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.message.MessageAudit;
import org.jvrpc.runtime.message.MessageClientCore;
import org.jvrpc.runtime.message.MessageServerCore;
import org.jvrpc.runtime.message.MessageServerOptions;
import org.jvrpc.runtime.sim.device.Network;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.VerbsException;

/**
 * One run of a server and some clients of message sessions: frames both ways, pauses, senders beside the thread that
 * polls, closes, and the faults that choices say. Frames arrive in order, each once; without faults all of them do
 * before an orderly close; either side is told once of the end; in the end nothing is left.
 */
final class MessageSimulation extends Scenario {

    private static final String ADDRESS = "sim://messages";
    private static final int MOST_FRAMES = 24;
    private static final int MAX_FRAME = 4096;
    private static final long POLL_NS = 50_000_000;
    private static final long TIMEOUT_NS = 10_000_000_000L;

    private final boolean hasFaults;
    private final List<Side> sides = new ArrayList<>();
    /** By the session's number: those to the server and to the client. */
    private final Map<Long, Stream[]> streams = new HashMap<>();
    private final SimProcess serverProcess = world.newProcess("server");
    private MessageServerCore server;

    private MessageSimulation(Choices choices) {
        super(choices);
        hasFaults = this.choices.rarely(2);
    }

    /** Runs one. @throws Violation when something does not hold */
    static World run(Choices choices) {
        MessageSimulation simulation = new MessageSimulation(choices);
        return simulation.runToEnd();
    }

    /** One side of a session: what it sends, and what it is sent. */
    private final class Side implements MessageHandler {

        private final SimProcess process;
        private final Choices.Stream own;
        private Stream out;
        private Stream in;
        private MessageSession session;
        private boolean echoes;
        private boolean paused;

        Side(SimProcess process, String name) {
            this.process = process;
            this.own = world.choices(name);
        }

        @Override
        public void opened(MessageSession opened) {
            session = opened;
            Stream[] both = streams.computeIfAbsent(opened.id(), id -> new Stream[] {
                new Stream("to the server:"), new Stream("to the client:")});
            boolean isServer = process == serverProcess;
            in = both[isServer ? 0 : 1];
            out = both[isServer ? 1 : 0];
        }

        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            if (paused) {
                throw new Violation("a frame was delivered while the session was paused");
            }
            in.arrived(frame);
            if (echoes) {
                send(frame.remaining());
            }
            if (own.rarely(12)) {
                pause(from);
            }
        }

        private void pause(MessageSession from) {
            paused = true;
            from.pause();
            world.in(1_000L << own.pick(15), process, () -> process.start("resume", () -> {
                paused = false;
                from.resume();
            }));
        }

        @Override
        public void closed(MessageSession closed, Throwable cause) {
            world.trace(Thread.currentThread().getName() + " session " + closed.id() + " is over: " + cause);
            in.ended();
            if (cause != null && !hasFaults && !in.breaksOff) {
                throw new Violation("session ended by " + cause, cause);
            }
        }

        /** Sends a frame; false when the session is over. One thread of a side. */
        boolean send(int bytes) {
            ByteBuffer frame = out.frame(bytes);
            int cut = own.pick(frame.capacity() + 1);
            out.sending();
            return session.send(frame.slice(0, cut), frame.slice(cut, frame.capacity() - cut));
        }
    }

    @Override
    void run() {
        Network.of(world).manners(choices.rarely(3) ? 0 : 4 << choices.pick(4), 0);
        await("the server's start", serverProcess.start("main", this::startServer));
        int count = 1 + choices.pick(3);
        List<Thread> clients = new ArrayList<>();
        List<SimProcess> processes = new ArrayList<>();
        if (hasFaults) {
            Network.of(world).manners(4 << choices.pick(4), 16 << choices.pick(4));
        }
        for (int i = 0; i < count; i++) {
            SimProcess process = world.newProcess("client-" + i);
            processes.add(process);
            clients.add(process.start("main", new Client(process, "client-" + i)));
            if (hasFaults) {
                befall(process);
            }
        }
        for (int i = 0; i < count; i++) {
            Thread client = clients.get(i);
            SimProcess process = processes.get(i);
            world.run("the end of " + client.getName(), () -> !client.isAlive() || process.isDead(), STEPS);
        }
        serverProcess.goOn();
        Network.of(world).manners(0, 0);
        await("the server's end", serverProcess.start("end", server::close));
        for (SimProcess process : processes) {
            process.goOn();
            expectEnd(process, List.of());
        }
        expectEnd(serverProcess, List.of());
        for (Side side : sides) {
            if (side.session != null && !side.in.isOver() && !side.process.isDead()) {
                throw new Violation("a handler of " + side.process.name() + " was not told of the end");
            }
        }
    }

    private void startServer() {
        MessageServerOptions options = new MessageServerOptions();
        options.address(ADDRESS);
        options.maxFrameBytes(MAX_FRAME);
        options.idle(choices.rarely(4) ? IdleStrategy.ADAPTIVE : IdleStrategy.BLOCK);
        options.handlers(() -> {
            Side side = new Side(serverProcess, "peer-" + sides.size());
            side.echoes = true;
            sides.add(side);
            return side;
        });
        server = MessageAudit.server(serverProcess.environment(), options);
        server.start();
    }

    private void befall(SimProcess client) {
        for (int i = choices.pick(3); i > 0; i--) {
            int kind = choices.pick(4);
            world.in(2_000L << choices.pick(15), null, () -> {
                world.trace("fault " + kind);
                switch (kind) {
                    case 0 -> stop(client);
                    case 1 -> stop(serverProcess);
                    case 2 -> Network.of(world).breakConnection();
                    default -> client.kill();
                }
            });
        }
    }

    private void stop(SimProcess process) {
        process.stop();
        world.in(10_000L << choices.pick(15), null, process::goOn);
    }

    /** A client's process: sends, and takes what comes, until all has come back. */
    private final class Client implements Runnable {

        private final SimProcess process;
        private final Side side;

        Client(SimProcess process, String name) {
            this.process = process;
            this.side = new Side(process, name);
        }

        @Override
        public void run() {
            int window = 4 << side.own.pick(3);
            try (MessageClientCore core = MessageAudit.connect(
                    process.environment(), ADDRESS, side, window, 256, MAX_FRAME, TIMEOUT_NS)) {
                sides.add(side);
                talk(core);
            } catch (RpcException | VerbsException e) { // refused, or there is no memory
                if (!hasFaults) {
                    throw e;
                }
            }
        }

        private void talk(MessageClientCore core) {
            core.poll();
            int frames = side.own.pick(MOST_FRAMES);
            Thread sender = process.start("sender", () -> {
                for (int i = 0; i < frames && side.send(side.own.rarely(4) ? side.own.pick(MAX_FRAME) : 9); i++) {
                    world.mayYield();
                }
            });
            while (!side.in.isOver() && (sender.isAlive() || side.out.missing() + side.in.missing() > 0)) {
                core.poll(POLL_NS);
            }
            if (!hasFaults && side.out.missing() + side.in.missing() > 0) {
                throw new Violation("frames missing=" + side.out.missing() + " and " + side.in.missing());
            }
            side.out.breaksOff = side.own.rarely(2);
            if (!side.out.breaksOff) {
                core.session().close();
                while (!side.in.isOver()) {
                    core.poll(POLL_NS);
                }
            }
        }
    }
}
