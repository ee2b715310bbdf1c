/**
 * A service as it is on the wire, as data: methods and layouts, read from signatures and from the descriptors that the
 * processor writes, and the one set of rules on which versions of a service understand each other. The runtime asks it
 * when a client opens a service, the processor and {@code jvrpc diff} when a service is built. Knows no bytes and no
 * classes of the service. Immutable values; any thread.
 */
@NullMarked
package org.jvrpc.api.schema;

import org.jspecify.annotations.NullMarked;
