package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** The server's end of a verb: answers messages and WRITEs in a spin; for READ and CAS it has memory, and sleeps. */
public final class VerbsServer implements ServerEnd {

    private final Verb verb;
    private final Supplier<String> device;
    private volatile boolean running = true;
    private ServerSocket listener;
    private VerbsEnd end;

    /** A server of one verb. @param driver {@code user} or {@code generic} */
    public VerbsServer(Verb verb, String driver) {
        this(verb, () -> Link.SERVER.verbs(driver));
    }

    /** A server over a device of its own. @param device its address */
    public VerbsServer(Verb verb, Supplier<String> device) {
        this.verb = verb;
        this.device = device;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        end = new VerbsEnd(device.get(), verb.more());
        VerbLoop loop = VerbLoop.of(verb, end);
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> serve(loop), "server");
        thread.setDaemon(true);
        thread.start();
        return Integer.toString(listener.getLocalPort());
    }

    private void serve(VerbLoop loop) {
        try (Socket socket = listener.accept()) {
            end.connect(socket);
            loop.begin();
            if (verb == Verb.READ || verb == Verb.CAS) {
                return;
            }
            while (running) {
                loop.answer();
            }
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
        }
    }

    @Override
    public void close() throws IOException {
        running = false;
        listener.close();
    }
}
