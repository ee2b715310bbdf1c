package org.jvrpc.api.auth;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * An action that a principal asks to take.
 *
 * @param step how far they have come
 * @param service name of the service, as the caller says it; null for {@link Step#CONNECT}
 * @param method null for {@link Step#CONNECT} and {@link Step#OPEN}
 * @param host where from; null for this host
 */
public record Access(Step step, @Nullable String service, @Nullable MethodDescriptor method,
        @Nullable InetAddress host) {

    /** The kinds of action. */
    public enum Step {
        /** A session. Tokens come with calls: who has nothing else to show is anonymous as yet. */
        CONNECT,
        /** To learn what a service has. */
        OPEN,
        /** A call of a method. */
        CALL,
        /** A stream, which may last. */
        STREAM,
        /** The program that answers a method, see {@link org.jvrpc.api.Offload}: no call of it is seen. */
        PROGRAM
    }

    /** Returns the step and the method, as messages show it. */
    public String what() {
        String name = method != null ? method.fullName() : service;
        return step.name().toLowerCase(Locale.ROOT) + (name == null ? "" : " " + Printable.of(name, 200));
    }
}
