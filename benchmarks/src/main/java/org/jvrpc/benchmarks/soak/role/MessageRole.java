package org.jvrpc.benchmarks.soak.role;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import org.jvrpc.api.RpcException;
import org.jvrpc.benchmarks.soak.plan.Place;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.verbs.VerbsException;

/** A client that sends messages and gets each back: as many as are taken, or slowly read. One thread polls. */
final class MessageRole implements Role {

    private static final long MOST_QUEUED = 1 << 20;
    private static final int LONGEST = 30_000;
    private static final long POLL_NS = 2_000_000;

    private final Environs environs;
    private final Random random;
    private final Thread thread = new Thread(this::run, "soak-messages");
    private final ByteBuffer frame = ByteBuffer.allocate(LONGEST);
    private volatile boolean mayCall;
    private volatile boolean over;
    private volatile boolean reopen;
    private volatile boolean rests;
    private volatile boolean connected;
    private int server;

    MessageRole(Environs environs) {
        this.environs = environs;
        this.random = new Random(environs.seed());
        thread.start();
    }

    /** This side of a session. */
    private final class Echoes implements MessageHandler {

        private final Frames frames = new Frames();

        @Override
        public void frame(MessageSession session, ByteBuffer echo) {
            String wrong = frames.check(echo);
            if (wrong != null) {
                environs.notes().add("a message that came back: session=" + session.id() + ' ' + wrong);
            }
        }
    }

    private void run() {
        while (!over) {
            server = (server + 1) % environs.servers();
            Echoes echoes = new Echoes();
            try (MessageClient client = MessageClient.builder(Environs.messages(server), echoes)
                    .timeout(Duration.ofSeconds(1)).connect()) {
                connected = true;
                talk(client, echoes);
            } catch (RpcException | VerbsException e) {
                System.err.println("no session: " + e);
            } catch (RuntimeException | Error e) {
                environs.notes().add("a session of messages", e);
            }
            connected = false;
            reopen = false;
            pause();
        }
    }

    private void talk(MessageClient client, Echoes echoes) {
        long sent = 0;
        long readsAgainNs = 0;
        while (client.session().isOpen() && !over && !reopen) {
            if (mayCall && client.session().queuedBytes() < MOST_QUEUED) {
                Frames.fill(frame.clear().limit(length()), sent);
                sent += client.send(frame) ? 1 : 0;
            } else {
                client.poll(POLL_NS);
            }
            client.poll();
            readsAgainNs = readSlowly(client.session(), readsAgainNs);
            rests = !mayCall && echoes.frames.count() == sent;
        }
        closeInOrder(client);
    }

    /** A reader pauses now and then, and goes on later. */
    private long readSlowly(MessageSession session, long readsAgainNs) {
        long nowNs = System.nanoTime();
        if (readsAgainNs != 0 && (nowNs - readsAgainNs > 0 || !mayCall)) {
            session.resume();
            return 0;
        }
        if (readsAgainNs == 0 && mayCall && environs.place().role() == Place.Role.READER
                && random.nextInt(2_000) == 0) {
            session.pause();
            return nowNs + random.nextInt(800) * 1_000_000L;
        }
        return readsAgainNs;
    }

    private static void closeInOrder(MessageClient client) {
        client.session().close();
        long endNs = System.nanoTime() + 2_000_000_000L;
        while (client.session().isOpen() && System.nanoTime() - endNs < 0) {
            client.poll(POLL_NS);
        }
    }

    private int length() {
        int most = random.nextInt(10) == 0 ? LONGEST : 300;
        return Frames.HEADER + random.nextInt(most - Frames.HEADER);
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String execute(String[] words) {
        switch (words[0]) {
            case "go" -> {
                rests = false;
                mayCall = true;
            }
            case "rest" -> mayCall = false;
            case "under-way" -> {
                return rests ? "0" : "1";
            }
            case "connected" -> {
                return Boolean.toString(connected);
            }
            case "close" -> reopen = true;
            default -> throw new IllegalArgumentException("unknown command=" + words[0]);
        }
        return "";
    }

    @Override
    public void end() throws InterruptedException {
        over = true;
        thread.join();
    }
}
