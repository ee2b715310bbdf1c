package org.jvrpc.recording;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.recording.dynamic.DynamicMethod;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.recording.json.MisfitException;
import org.jvrpc.runtime.RpcClient;

/** Makes recorded calls again, one after the other, and compares answers. One thread. */
public final class Replay {

    private final RpcClient server;
    private final CallOptions options;
    private final Map<String, DynamicService> services = new HashMap<>();
    private final Map<String, RpcChannel> channels = new HashMap<>();
    private final List<String> ignored;

    /**
     * Prepares it.
     *
     * @param server who is asked
     * @param services as the server has them now; of others, what was recorded is taken
     * @param ignored where differences do not count, see {@link JsonDiff#of}
     */
    public Replay(RpcClient server, CallOptions options, Recording recording, List<DynamicService> services,
            List<String> ignored) {
        this.server = server;
        this.options = options;
        this.ignored = List.copyOf(ignored);
        for (ServiceSchema schema : recording.services()) {
            this.services.put(schema.name(), new DynamicService(schema, List.of()));
        }
        services.forEach(service -> this.services.put(service.name(), service));
    }

    /**
     * What became of a call.
     *
     * @param now its outcome, as the recorded one is
     * @param differences from the recorded outcome; empty when it is the same
     */
    public record Result(RecordedCall recorded, Map<String, Object> now, List<JsonDiff.Difference> differences) {
    }

    /** Waits until a call's time has come. @param startNs when the replay began, by {@link System#nanoTime} */
    public static void awaitTurn(RecordedCall call, long startNs) throws InterruptedException {
        long leftNs = call.atNs() - (System.nanoTime() - startNs);
        if (leftNs > 0) {
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNs, Duration.ofDays(1).toNanos()));
        }
    }

    /** Makes a call. @throws RpcException UNAVAILABLE when there is no server any more */
    public Result again(RecordedCall recorded) {
        Map<String, Object> now;
        try {
            now = outcome(recorded);
        } catch (RpcException | MisfitException e) {
            now = RecordedCall.failure(e);
        }
        return new Result(recorded, now, JsonDiff.of("", recorded.outcome(), now, ignored));
    }

    private Map<String, Object> outcome(RecordedCall recorded) {
        DynamicService service = services.get(recorded.service());
        MethodSchema schema = service == null ? null : service.schema().find(recorded.method());
        if (schema == null) {
            throw new RpcException(Status.UNIMPLEMENTED, "there is no " + recorded.fullName());
        }
        DynamicMethod method = new DynamicMethod(service, schema);
        RpcChannel channel = channels.computeIfAbsent(service.name(), name -> server.stub(service, options));
        ClientCall call = begin(channel, method, recorded);
        Map<String, Object> outcome = new LinkedHashMap<>();
        if (method.descriptor().oneWay()) {
            call.send();
        } else if (method.descriptor().streams().result()) {
            take((StreamCall) call, method, outcome);
        } else {
            try {
                outcome.put(RecordedCall.ANSWER, method.readAnswer(call.invoke(), call.thrown()));
            } catch (RuntimeException e) {
                outcome.putAll(RecordedCall.failure(e));
            } finally {
                call.close();
            }
        }
        return outcome;
    }

    private static ClientCall begin(RpcChannel channel, DynamicMethod method, RecordedCall recorded) {
        boolean streams = method.descriptor().streams().argument() || method.descriptor().streams().result();
        ClientCall call = streams ? channel.beginStream(method.descriptor()) : channel.begin(method.descriptor());
        try {
            method.writeArguments(call.arguments(),
                    new DynamicMethod.Given(recorded.arguments(), recorded.room()));
            if (method.descriptor().streams().argument()) {
                List<Object> elements = recorded.elements() == null ? List.of() : recorded.elements();
                ((StreamCall) call).elements(Streams.writing(writer -> {
                    for (Object element : elements) {
                        writer.write(element);
                    }
                }), method.argumentElements());
            }
            return call;
        } catch (Throwable t) {
            throw call.abandon(t);
        }
    }

    private static void take(StreamCall call, DynamicMethod method, Map<String, Object> outcome) {
        List<Object> answers = new ArrayList<>();
        try (StreamReader<Object> came = Streams.reader(call.publish(method.resultElements(), (in, thrown) -> {
            method.throwDeclared(in, thrown);
            return null;
        }))) {
            while (came.hasNext()) {
                answers.add(came.next());
            }
        } catch (RuntimeException e) {
            outcome.putAll(RecordedCall.failure(e));
        }
        outcome.put(RecordedCall.ANSWERS, answers);
    }
}
