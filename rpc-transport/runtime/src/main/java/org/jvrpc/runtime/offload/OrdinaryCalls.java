package org.jvrpc.runtime.offload;

import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.ObjectCodec;

/** How a service is called where no program answers. Many threads. */
public interface OrdinaryCalls {

    ObjectCodec objects();

    /** Begins a call that the server answers. */
    ClientCall beginOrdinary(MethodDescriptor method);

    /** A program answered a call. */
    default void answeredByProgram() {
        // counted where somebody counts
    }
}
