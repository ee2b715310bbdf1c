package org.jvrpc.recording;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.recording.dynamic.DeclaredException;
import org.jvrpc.recording.dynamic.DynamicMethod;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.runtime.RpcClient;

/** Passes the calls of a service on to a server, and has them recorded. Never waits. Poller threads. */
final class ForwardingSkeleton implements Skeleton {

    private final RpcClient server;
    private final CallOptions options;
    private final DynamicService service;
    private final List<DynamicMethod> methods;
    private final RpcChannel channel;
    private final Recorder recorder;

    ForwardingSkeleton(RpcClient server, CallOptions options, DynamicService service, Recorder recorder) {
        this.server = server;
        this.options = options;
        this.service = service;
        this.methods = service.schema().methods().stream().map(each -> new DynamicMethod(service, each)).toList();
        this.channel = server.stub(service, options);
        this.recorder = recorder;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        DynamicMethod method = methods.get(index);
        DynamicMethod.Given given = method.readArguments(call.arguments());
        Underway record = new Underway(recorder, method, given);
        try {
            forward(method, given, call, record);
        } catch (RuntimeException | Error e) {
            record.failed(e);
            throw e;
        }
    }

    private void forward(DynamicMethod method, DynamicMethod.Given given, ServerCall call, Underway record) {
        ClientCall onwards = begin(method, given, call, record);
        if (method.descriptor().oneWay()) {
            onwards.send();
            record.answered(null);
        } else if (method.descriptor().streams().result()) {
            Flow.Publisher<Object> answers = ((StreamCall) onwards).publish(method.resultElements(), (in, thrown) -> {
                method.throwDeclared(in, thrown);
                return null;
            });
            call.publish(new TappedStream(answers, record), method.resultElements(),
                    (to, none, thrown) -> writeFailure(method, to, thrown));
        } else {
            call.completeLater(onwards.invokeAsync(method::readAnswer), (to, answer, thrown) -> {
                if (thrown == null) {
                    record.answered(answer);
                    method.writeAnswer(to, answer);
                } else {
                    record.failed(unwrap(thrown));
                    writeFailure(method, to, thrown);
                }
            });
        }
    }

    private ClientCall begin(DynamicMethod method, DynamicMethod.Given given, ServerCall call, Underway record) {
        RpcChannel way = channel(call);
        boolean streams = method.descriptor().streams().argument() || method.descriptor().streams().result();
        ClientCall onwards = streams ? way.beginStream(method.descriptor()) : way.begin(method.descriptor());
        try {
            method.writeArguments(onwards.arguments(), given);
            if (method.descriptor().streams().argument()) {
                StreamCodec<Object> codec = method.argumentElements();
                ((StreamCall) onwards).elements(call.elements(tapped(codec, record)), codec);
            }
            return onwards;
        } catch (Throwable t) {
            throw onwards.abandon(t);
        }
    }

    /** What travels beside a call goes on, and what is left of its time. */
    private RpcChannel channel(ServerCall call) {
        long leftNs = call.remainingNs();
        if (call.metadata().isEmpty() && leftNs == Long.MAX_VALUE) {
            return channel;
        }
        if (leftNs <= 0) {
            throw new RpcException(Status.DEADLINE_EXCEEDED, "no time is left, remainingNs=" + leftNs);
        }
        CallOptions[] own = {options.withResponseMetadata(came -> answerMetadata(call, came))};
        if (leftNs != Long.MAX_VALUE) {
            own[0] = own[0].withDeadlineAfter(Duration.ofNanos(leftNs));
        }
        call.metadata().forEach((name, value) -> {
            if (!name.equals(CallCredentials.NAME)) { // that is for this server, and the other is shown its own
                own[0] = own[0].withMetadata(name, value);
            }
        });
        return server.stub(service, own[0]);
    }

    private static void answerMetadata(ServerCall call, Metadata came) {
        call.responseMetadata().putAll(came);
    }

    private static void writeFailure(DynamicMethod method, ServerCall to, Throwable thrown) throws Throwable {
        DeclaredException declared = RecordedCall.declared(thrown);
        if (declared == null) {
            throw unwrap(thrown);
        }
        method.writeThrown(to, declared);
    }

    static Throwable unwrap(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private static StreamCodec<Object> tapped(StreamCodec<Object> codec, Underway record) {
        return new StreamCodec<>() {
            @Override
            public Object read(WireReader in) {
                Object element = codec.read(in);
                record.sent(element);
                return element;
            }

            @Override
            public void write(WireWriter out, Object element) {
                codec.write(out, element);
            }

            @Override
            public int fixedBytes() {
                return codec.fixedBytes();
            }
        };
    }
}
