package org.jvrpc.recording;

import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.dynamic.ServedService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/**
 * A server in front of another that passes calls on and records them with their answers: unary, one-way, asynchronous
 * ones and streams, with what travels beside them, which is not recorded. What callers show to be known stays here;
 * calls go on by the client's own credentials. Callers are to have the server's version of records with
 * {@code @Since}: others are refused where components are missing. Programs ({@code @Offload}) do not run.
 * Many threads.
 */
public final class RecordingProxy implements AutoCloseable {

    private final RpcServer front;
    private final Recorder recorder;

    private RecordingProxy(RpcServer front, Recorder recorder) {
        this.front = front;
        this.recorder = recorder;
    }

    /**
     * Starts.
     *
     * @param server where calls go; it stays the caller's, and is to have slots for all calls at a time
     * @param options of calls that go on
     * @param services those that are served
     * @param bind where clients connect
     * @param recorder closed with this
     * @throws org.jvrpc.api.RpcException when the server has no such service, or it differs
     */
    public static RecordingProxy start(RpcClient server, CallOptions options, List<DynamicService> services,
            String bind, Recorder recorder) {
        RpcServer.Builder builder = RpcServer.builder().bind(bind).reflection(true);
        for (DynamicService service : services) {
            builder.service(new ServedService(service), new ForwardingSkeleton(server, options, service, recorder));
        }
        return new RecordingProxy(builder.start(), recorder);
    }

    /** Returns where clients connect, with the port that was taken where it was given as 0. */
    public String address() {
        return front.address();
    }

    /** Returns what it records to. */
    public Recorder recorder() {
        return recorder;
    }

    /** Lets calls in progress end for up to 5 s, then stops and ends the recording. Idempotent. */
    @Override
    public void close() {
        try {
            front.close();
        } finally {
            recorder.close();
        }
    }
}
