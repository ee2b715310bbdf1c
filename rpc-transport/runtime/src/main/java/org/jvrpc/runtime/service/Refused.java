package org.jvrpc.runtime.service;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.Agreement;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.ObjectCodec;

/** A method of a client's version of a service that the server's cannot answer: each call fails and says why. */
final class Refused {

    private static final int MAX_CHARS = 200;

    private Refused() {
    }

    static ServiceTable.Method method(
            String service, MethodSchema client, Agreement.Outcome outcome, ObjectCodec objects) {
        MethodDescriptor descriptor = new MethodDescriptor(0, service, brief(client.name()),
                brief(client.key()), 0, false, client.oneWay(), 0, false);
        Status status = outcome.missing() ? Status.UNIMPLEMENTED : Status.FAILED_PRECONDITION;
        String message = outcome.missing()
                ? "server has no method " + brief(client.key()) + " in service name=" + service
                        + (outcome.reason().isEmpty() ? "" : "; it has " + brief(outcome.reason()))
                : descriptor.fullName() + " of client and server differ: " + brief(outcome.reason());
        return new ServiceTable.Method(descriptor, (index, call) -> {
            throw RpcException.notRun(status, message);
        }, objects, -1);
    }

    private static String brief(String text) {
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "…";
    }
}
