/** What a verb of {@code jvrpc router ctl} stands on: where the control plane is, what it prints, the wait for hosts. */
package org.jvrpc.tools.router.ctl.verb;
