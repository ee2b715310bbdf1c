/** {@code jvrpc router ctl} and {@code jvrpc router ensemble}: what administrators do with a cluster of routers. */
package org.jvrpc.tools.router.ctl;
