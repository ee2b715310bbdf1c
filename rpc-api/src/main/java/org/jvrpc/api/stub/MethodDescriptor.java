package org.jvrpc.api.stub;

/**
 * Describes a method to both sides before any call.
 *
 * @param index position in its service, from 0; methods are sorted by signature, so that it is the same on both sides
 * @param service name of the service on the wire
 * @param name the method's Java name
 * @param signature name, parameter and result types as text, with the layouts of all records and enums in it
 * @param fingerprint hash of the signature
 * @param heavy true when the server runs it on its executor
 * @param oneWay true when it has no answer
 * @param deadlineNs deadline in nanoseconds, 0 for the client's default
 * @param offload true when a program may answer it, see {@link org.jvrpc.api.Offload}
 * @param idempotent true when a call that may have run may be made again, see {@link org.jvrpc.api.RpcMethod}
 * @param streams which of its argument and its result are streams
 */
public record MethodDescriptor(
        int index,
        String service,
        String name,
        String signature,
        long fingerprint,
        boolean heavy,
        boolean oneWay,
        long deadlineNs,
        boolean offload,
        boolean idempotent,
        StreamKind streams) {

    /** Describes a method without streams. */
    public MethodDescriptor(
            int index,
            String service,
            String name,
            String signature,
            long fingerprint,
            boolean heavy,
            boolean oneWay,
            long deadlineNs,
            boolean offload,
            boolean idempotent) {
        this(index, service, name, signature, fingerprint, heavy, oneWay, deadlineNs, offload, idempotent,
                StreamKind.NONE);
    }

    /** Describes a method that is not idempotent. */
    public MethodDescriptor(
            int index,
            String service,
            String name,
            String signature,
            long fingerprint,
            boolean heavy,
            boolean oneWay,
            long deadlineNs,
            boolean offload) {
        this(index, service, name, signature, fingerprint, heavy, oneWay, deadlineNs, offload, false);
    }

    /** Returns {@code service/name}, as logs and messages show a method. */
    public String fullName() {
        return service + "/" + name;
    }
}
