package org.jvrpc.runtime;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.table.MethodAnswer;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.offload.table.MethodTable;

/**
 * The answers of a method that a server has published: clients find them without the server's CPU. What is not there is
 * an ordinary call. Any thread, handlers included.
 *
 * <p>Whoever changes what the method answers publishes the new answer, or removes the old one, before it tells anybody
 * of the change. Between the change and that, ordinary calls and those by program may differ; who cannot have that
 * removes, changes, then publishes.
 *
 * @param <T> the service
 */
public final class OffloadedMethod<T> {

    private final Class<T> service;
    private final ServiceDescriptor<T> descriptor;
    private final ServiceTable.Method method;
    private final MethodTable table;
    private final MethodOffer offer;
    private final long header;
    private final ServerOffloads owner;
    private final Queue<CallRecorder<T>> recorders = new ConcurrentLinkedQueue<>();

    OffloadedMethod(
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

    /** One call of the method, with the arguments whose answer is meant: {@code kv -> kv.get(42)}. */
    @FunctionalInterface
    public interface Call<T> {
        /**
         * Makes the call.
         *
         * @param stub of the service, which returns from none of its methods
         * @throws Exception what the method declares; it does not come about
         */
        Object on(T stub) throws Exception;
    }

    /**
     * Calls the server's implementation, on this thread and without interceptors, and publishes what it returns, or the
     * declared exception that it throws. Publications of the same arguments may overlap: the answer of the one that
     * began last is found.
     *
     * @throws RuntimeException what the implementation throws and does not declare: what was published for these
     *     arguments is removed then
     * @throws IllegalArgumentException when the call is not one of the method
     */
    public MethodPublished publish(Call<T> call) {
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

    /**
     * Publishes a result without calling the implementation. The caller has publications of the same arguments follow
     * one another.
     *
     * @throws IllegalArgumentException when the call is not one of the method, or cannot have the result
     */
    public MethodPublished publish(Call<T> call, Object result) {
        CallRecorder<T> recorder = take();
        try {
            recorder.record(call);
            long begun = table.begin();
            return table.publish(recorder.answer(result), begun);
        } finally {
            recorders.add(recorder);
        }
    }

    /**
     * Has calls with these arguments be ordinary ones.
     *
     * @return false when they were
     * @throws IllegalArgumentException when the call is not one of the method
     */
    public boolean remove(Call<T> call) {
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

    boolean isOf(ServiceTable.Method other) {
        return method == other;
    }
}
