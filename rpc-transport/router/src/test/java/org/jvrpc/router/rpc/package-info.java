/** Calls between the tenants of a router: the runtime's contracts, and what callers are told when it refuses. */
package org.jvrpc.router.rpc;
