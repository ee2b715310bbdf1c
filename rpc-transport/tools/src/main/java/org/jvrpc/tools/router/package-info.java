/** {@code jvrpc router}: runs a router, and says what routers may do. */
package org.jvrpc.tools.router;
