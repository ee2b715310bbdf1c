package org.jvrpc.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.recording.dynamic.DeclaredException;
import org.jvrpc.recording.dynamic.DynamicMethod;
import org.jvrpc.recording.dynamic.DynamicService;

/** Answers the calls of a service as recorded ones were answered. Never waits. Poller threads. */
final class ReplaySkeleton implements Skeleton {

    private final List<DynamicMethod> methods;
    private final AnswerBook book;
    private final boolean timing;

    ReplaySkeleton(DynamicService service, AnswerBook book, boolean timing) {
        this.methods = service.schema().methods().stream().map(each -> new DynamicMethod(service, each)).toList();
        this.book = book;
        this.timing = timing;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        DynamicMethod method = methods.get(index);
        DynamicMethod.Given given = method.readArguments(call.arguments());
        if (method.descriptor().oneWay()) {
            find(method, given, null);
        } else if (method.descriptor().streams().result()) {
            publish(method, given, call);
        } else {
            CompletableFuture<RecordedCall> found = method.descriptor().streams().argument()
                    ? Collector.of(call.elements(method.argumentElements()))
                            .thenApply(came -> find(method, given, came))
                    : CompletableFuture.completedFuture(find(method, given, null));
            call.completeLater(found.thenCompose(this::inTime), (to, recorded, thrown) ->
                    write(method, to, recorded, thrown));
        }
    }

    private void publish(DynamicMethod method, DynamicMethod.Given given, ServerCall call) {
        Flow.Publisher<Object> elements = method.descriptor().streams().argument()
                ? call.elements(method.argumentElements()) : null;
        call.publish(Streams.writing(writer -> {
            RecordedCall found = find(method, given, elements == null ? null : take(elements));
            waitFor(found);
            for (Object element : (List<?>) found.outcome().getOrDefault(RecordedCall.ANSWERS, List.of())) {
                writer.write(element);
            }
            throwFailure(found);
        }), method.resultElements(), (to, none, thrown) -> write(method, to, null, thrown));
    }

    private static List<Object> take(Flow.Publisher<Object> elements) {
        List<Object> came = new ArrayList<>();
        try (StreamReader<Object> reader = Streams.reader(elements)) {
            while (reader.hasNext()) {
                came.add(reader.next());
            }
        }
        return came;
    }

    private RecordedCall find(DynamicMethod method, DynamicMethod.Given given, List<Object> elements) {
        String name = method.descriptor().service() + "/" + method.schema().key();
        RecordedCall found = book.next(name, given.values(), elements);
        if (found == null) {
            throw new RpcException(Status.NOT_FOUND, book.miss(name, given.values(), elements));
        }
        return found;
    }

    private CompletableFuture<RecordedCall> inTime(RecordedCall found) {
        if (!timing) {
            return CompletableFuture.completedFuture(found);
        }
        Executor late = CompletableFuture.delayedExecutor(found.tookNs(), TimeUnit.NANOSECONDS);
        return CompletableFuture.supplyAsync(() -> found, late);
    }

    private void waitFor(RecordedCall found) throws InterruptedException {
        if (timing) {
            TimeUnit.NANOSECONDS.sleep(found.tookNs());
        }
    }

    private static void throwFailure(RecordedCall found) {
        Map<String, Object> outcome = found.outcome();
        if (outcome.get(RecordedCall.EXCEPTION) instanceof Map<?, ?> declared) {
            @SuppressWarnings("unchecked") // objects of JSON have names
            Map<String, Object> components = (Map<String, Object>) declared.get("components");
            throw new DeclaredException((String) declared.get("exception"), components);
        }
        if (outcome.get(RecordedCall.FAILED) instanceof Map<?, ?> failed) {
            throw new RpcException(Status.valueOf((String) failed.get("status")), (String) failed.get("message"));
        }
    }

    /** @param recorded null where the answer is a stream, which has ended */
    private static void write(DynamicMethod method, ServerCall to, RecordedCall recorded, Throwable thrown)
            throws Throwable {
        try {
            if (thrown != null) {
                throw ForwardingSkeleton.unwrap(thrown);
            }
            throwFailure(recorded);
            method.writeAnswer(to, recorded.outcome().get(RecordedCall.ANSWER));
        } catch (Throwable t) {
            DeclaredException declared = RecordedCall.declared(t);
            if (declared == null) {
                throw t;
            }
            method.writeThrown(to, declared);
        }
    }
}
