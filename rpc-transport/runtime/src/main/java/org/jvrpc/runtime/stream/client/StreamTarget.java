package org.jvrpc.runtime.stream.client;

import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;

/**
 * The service of a call.
 *
 * @param objects its codec of object graphs
 */
public record StreamTarget(ServiceDescriptor<?> service, ObjectCodec objects) { }
