package org.jvrpc.benchmarks.soak.role;

import java.time.Duration;
import org.jvrpc.benchmarks.jvrpc.SoakHandler;
import org.jvrpc.benchmarks.jvrpc.SoakService;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.verbs.VerbsException;

/** A server of calls and one of messages, and a client of the other server. */
final class ServerRole implements Role {

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);
    private static final long START_LIMIT_NS = 60_000_000_000L;

    private final Environs environs;
    private final CampaignHandler handler;
    private final Object peerLock = new Object();
    private RpcServer server;
    private MessageServer messages;
    private RpcClient peer;

    ServerRole(Environs environs) throws Exception {
        this.environs = environs;
        this.handler = new CampaignHandler(environs.journal(), environs.notes(), this::other);
        start();
    }

    /** Shared memory may be full: then it tries again until it is not. */
    private void start() throws InterruptedException {
        long endNs = System.nanoTime() + START_LIMIT_NS;
        while (!tryStart()) {
            if (System.nanoTime() - endNs > 0) {
                throw new IllegalStateException("the server cannot start");
            }
            Thread.sleep(100);
        }
    }

    private boolean tryStart() {
        try {
            if (server == null) {
                server = RpcServer.builder().bind(Environs.calls(environs.place().number()))
                        .service(CampaignService.class, handler).service(SoakService.class, new SoakHandler()).start();
            }
            if (messages == null) {
                messages = MessageServer.builder().bind(Environs.messages(environs.place().number()))
                        .handler(() -> new FrameEcho(environs.notes())).start();
            }
            return true;
        } catch (VerbsException e) {
            System.err.println("cannot start: " + e);
            return false;
        }
    }

    /** Returns a stub of the other server, or, where there is but one, of this one. */
    private SoakService other() {
        synchronized (peerLock) {
            if (peer == null) {
                int number = environs.servers() == 1 ? environs.place().number() : 1 - environs.place().number();
                peer = RpcClient.builder(Environs.calls(number)).slots(8).connectTimeout(Duration.ofMillis(500))
                        .deadline(Duration.ofSeconds(1)).connect();
            }
            return peer.stub(SoakService.class);
        }
    }

    @Override
    public String execute(String[] words) throws Exception {
        switch (words[0]) {
            case "drain" -> drain();
            case "shut" -> shut();
            case "held" -> {
                return Boolean.toString(handler.isHeld());
            }
            case "release" -> handler.releaseHeld();
            case "running" -> {
                return Integer.toString(handler.running());
            }
            default -> throw new IllegalArgumentException("unknown command=" + words[0]);
        }
        return "";
    }

    private void drain() throws InterruptedException {
        server.shutdown();
        if (!server.awaitTermination(DRAIN_LIMIT)) {
            environs.notes().add("the server has not drained in " + DRAIN_LIMIT.toSeconds() + " s, running="
                    + handler.running());
        }
        restart();
    }

    private void shut() throws InterruptedException {
        messages.close();
        messages = null;
        restart();
    }

    private void restart() throws InterruptedException {
        server.close();
        server = null;
        start();
    }

    @Override
    public void end() {
        synchronized (peerLock) {
            if (peer != null) {
                peer.close();
            }
        }
        messages.close();
        server.close();
    }
}
