package org.jvrpc.softrnic.router;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameException;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.FrameWriter;
import org.jvrpc.softrnic.router.wire.Refused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attachment to a router: a socket, and the commands that wait for its answers. Any thread. */
final class Link implements SocketReader.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    private final SocketReader reader;
    private final SocketChannel socket;
    private final FrameReader frames = new FrameReader();
    private final FrameWriter writer;
    private final BiConsumer<Link, ControlFrame> told;
    private final Consumer<Link> ended;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<ControlFrame>> waiting = new ConcurrentHashMap<>();
    private final long patienceNs = 1_000_000 * Long.getLong("jvrpc.router.command.ms", 5_000); // another for tests
    private volatile boolean over;

    private Link(SocketReader reader, SocketChannel socket, BiConsumer<Link, ControlFrame> told, Consumer<Link> ended) {
        this.reader = reader;
        this.socket = socket;
        this.told = told;
        this.ended = ended;
        this.writer = new FrameWriter(socket, () -> reader.wantWrite(socket));
    }

    /**
     * Connects to a router's socket.
     *
     * @param told of frames that answer nothing; the reader's thread
     * @param ended told once, when the router is gone; any thread
     */
    static Link open(SocketReader reader, Path path, BiConsumer<Link, ControlFrame> told, Consumer<Link> ended)
            throws IOException {
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            socket.configureBlocking(false); // an interrupt ends it not
            socket.connect(UnixDomainSocketAddress.of(path));
            Link link = new Link(reader, socket, told, ended);
            reader.add(socket, link);
            return link;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns how long a command's answer is waited for, in nanoseconds. */
    long patienceNs() {
        return patienceNs;
    }

    boolean isOver() {
        return over;
    }

    /** A question that was sent. */
    record Question(int id, CompletableFuture<ControlFrame> answer) { }

    /** Sends a command; its answer comes. @throws RefusalException when the router is gone */
    Question ask(String operation, IntFunction<ControlFrame> command) {
        int id = ids.incrementAndGet();
        CompletableFuture<ControlFrame> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        try {
            writer.write(command.apply(id));
        } catch (IOException e) {
            waiting.remove(id);
            end(e.toString());
            throw new RefusalException(operation, "the router is gone: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            waiting.remove(id);
            throw e;
        }
        if (over && waiting.remove(id) != null) {
            throw new RefusalException(operation, "the router is gone", null);
        }
        return new Question(id, answer);
    }

    /** Says something that is not answered; false when the router is gone. */
    boolean say(ControlFrame frame) {
        try {
            writer.write(frame);
            return true;
        } catch (IOException e) {
            end(e.toString());
            return false;
        }
    }

    /** Says something short at once; false when it cannot be now. Allocates nothing. */
    boolean trySay(Command command, int id, int object) {
        try {
            return writer.tryWrite(command, id, object);
        } catch (IOException e) {
            end(e.toString());
            return false;
        }
    }

    /**
     * Waits for an answer, whatever it is; an interrupt does not end that, and is there afterwards.
     *
     * @return null when it did not come in time
     * @throws RefusalException when the router is gone
     */
    ControlFrame await(String operation, Question question, long timeoutNs) {
        boolean interrupted = false;
        long startNs = System.nanoTime();
        try {
            while (true) {
                try {
                    long leftNs = timeoutNs - (System.nanoTime() - startNs);
                    return question.answer().get(Math.max(0, leftNs), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    waiting.remove(question.id());
                    return null;
                } catch (ExecutionException e) {
                    throw new RefusalException(operation, "the router is gone: " + e.getCause().getMessage(),
                            e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void ready() {
        try {
            if (writer.drain()) {
                reader.wrote(socket);
            }
            for (ControlFrame frame = frames.read(socket); frame != null; frame = frames.read(socket)) {
                dispatch(frame);
            }
        } catch (EOFException e) {
            end("it closed the socket");
        } catch (IOException e) {
            end(e.toString());
        } catch (RuntimeException e) {
            LOG.error("a frame of the router: ", e);
            end(e.toString());
        }
    }

    private void dispatch(ControlFrame frame) {
        switch (frame.command()) {
            case WELCOME, DONE, REFUSED, CONNECTED, REJECT -> {
                CompletableFuture<ControlFrame> answer = waiting.remove(frame.id());
                if (answer != null) {
                    answer.complete(frame);
                }
            }
            default -> told.accept(this, frame);
        }
    }

    /** Returns what a refusal says. */
    static RefusalException refusal(String operation, ControlFrame frame) {
        try {
            return new RefusalException(operation, Refused.decode(frame));
        } catch (FrameException e) {
            return new RefusalException(operation, "the router's answer is none: " + e.getMessage(), e);
        }
    }

    /** Ends it: whoever waits is told so. Idempotent. */
    void end(String why) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket: {}", e.toString());
        }
        for (Integer id : waiting.keySet()) {
            CompletableFuture<ControlFrame> answer = waiting.remove(id);
            if (answer != null) {
                answer.completeExceptionally(new IOException(why));
            }
        }
        ended.accept(this);
    }
}
