package org.jvrpc.runtime.offload;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.table.MethodAnswer;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.offload.table.MethodTable;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.service.ServiceTable;

/**
 * What is behind the front door of an offloaded method: records calls, and publishes their answers. Any thread.
 *
 * @param <T> the service
 */
public final class MethodPublisher<T> {

    private final Class<T> service;
    private final ServiceDescriptor<T> descriptor;
    private final ServiceTable.Method method;
    private final MethodTable table;
    private volatile MethodOffer offer;
    private final long header;
    private final ServerOffloads owner;
    private final Queue<CallRecorder<T>> recorders = new ConcurrentLinkedQueue<>();

    MethodPublisher(
            Class<T> service,
            ServiceDescriptor<T> descriptor,
            ServiceTable.Method method,
            MethodTable table,
            MethodOffer offer,
            long header,
            ServerOffloads owner) {
        this.service = service;
        this.descriptor = descriptor;
        this.method = method;
        this.table = table;
        this.offer = offer;
        this.header = header;
        this.owner = owner;
    }

    /** Has the implementation answer a call, and publishes that. */
    public MethodPublished publish(CallRecorder.Call<T> call) {
        CallRecorder<T> recorder = take();
        try {
            WireWriter arguments = recorder.record(call);
            long begun = table.begin();
            MethodAnswer answer;
            try {
                answer = recorder.answer();
            } catch (Throwable t) {
                table.remove(arguments.buffer(), arguments.start(), arguments.length(), table.begin());
                throw unchecked(t);
            }
            return table.publish(answer, begun);
        } finally {
            recorders.add(recorder);
        }
    }

    /** Publishes a result without calling the implementation. */
    public MethodPublished publish(CallRecorder.Call<T> call, Object result) {
        CallRecorder<T> recorder = take();
        try {
            recorder.record(call);
            long begun = table.begin();
            return table.publish(recorder.answer(result), begun);
        } finally {
            recorders.add(recorder);
        }
    }

    /** Removes an answer; false when there was none. */
    public boolean remove(CallRecorder.Call<T> call) {
        CallRecorder<T> recorder = take();
        try {
            WireWriter arguments = recorder.record(call);
            return table.remove(arguments.buffer(), arguments.start(), arguments.length(), table.begin());
        } finally {
            recorders.add(recorder);
        }
    }

    private CallRecorder<T> take() {
        CallRecorder<T> recorder = recorders.poll();
        return recorder == null ? new CallRecorder<>(service, descriptor, method) : recorder;
    }

    private RuntimeException unchecked(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException e ? e
                : new RpcException(Status.UNKNOWN, method.descriptor().fullName() + " threw " + t, t);
    }

    /** Removes every answer. */
    public void clear() {
        table.clear();
    }

    /** Returns how many answers are published. */
    public int size() {
        return table.size();
    }

    MethodOffer offer() {
        return offer;
    }

    void offer(MethodOffer elsewhere) {
        offer = elsewhere;
    }

    /** Returns the address of the program's host. */
    public String address() {
        return offer.address();
    }

    /** Returns the name of the lookup at its host. */
    public String name() {
        return offer.name();
    }

    /** Returns where in its memory the header of the table lies: what another host offers. */
    public long header() {
        return header;
    }

    /** Returns the clients connected to the server's own host, with what they have executed; each can be cut off. */
    public List<HostedClient> clients() {
        return owner.clients(offer.name());
    }

    /** Returns true for the name of its lookup. */
    boolean isOffered(String lookup) {
        return offer.name().equals(lookup);
    }

    MethodDescriptor method() {
        return method.descriptor();
    }

    boolean isOf(ServiceTable.Method other) {
        return method == other;
    }
}
