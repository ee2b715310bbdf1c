/** The verbs of {@code jvrpc router ctl} on one tenant: what it may have, its tokens and addresses, its folder. */
package org.jvrpc.tools.router.ctl.tenant;
