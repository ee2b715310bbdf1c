/** {@code jvrpc router ctl}: what administrators do with a cluster of routers, its hosts and its rules. */
package org.jvrpc.tools.router.ctl;
