package org.jvrpc.api.health;

import java.util.concurrent.CompletionException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;

/** Layouts of what {@link Health} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class HealthCodec {

    private static final ServingStatus[] SERVING_STATUS_VALUES = ServingStatus.values();

    private HealthCodec() {
    }

    static ServingStatus readServingStatus(WireReader in) {
        return in.readEnum(SERVING_STATUS_VALUES);
    }

    static <T> T nonNull(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INVALID_ARGUMENT, message);
        }
        return value;
    }

    static <T> T returned(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INTERNAL, message);
        }
        return value;
    }

    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
