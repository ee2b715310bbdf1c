package org.jvrpc.recording;

import java.util.List;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.dynamic.ServedService;
import org.jvrpc.runtime.RpcServer;

/**
 * A server that answers as another did when it was recorded: calls by their method and arguments, elements of streams
 * among them; equal calls in the order in which they were answered, then the last answer again. A call that was not
 * recorded fails with NOT_FOUND, which says what was. Many threads.
 */
public final class ReplayServer implements AutoCloseable {

    private final RpcServer server;

    private ReplayServer(RpcServer server) {
        this.server = server;
    }

    /**
     * Starts.
     *
     * @param bind where clients connect
     * @param timing true to let each answer take as long as it did
     * @throws IllegalArgumentException when the recording has no services
     */
    public static ReplayServer start(Recording recording, String bind, boolean timing) {
        AnswerBook book = new AnswerBook(recording.calls());
        RpcServer.Builder builder = RpcServer.builder().bind(bind).reflection(true);
        for (ServiceSchema schema : recording.services()) {
            DynamicService service = new DynamicService(schema, List.of());
            builder.service(new ServedService(service), new ReplaySkeleton(service, book, timing));
        }
        return new ReplayServer(builder.start());
    }

    /** Returns where clients connect, with the port that was taken where it was given as 0. */
    public String address() {
        return server.address();
    }

    /** Stops. Idempotent. */
    @Override
    public void close() {
        server.close();
    }
}
