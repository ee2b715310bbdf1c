/** The memory that the engine works in: the router's own for a device, the tenant's, and rings that are copied from. */
package org.jvrpc.router.engine.memory;
