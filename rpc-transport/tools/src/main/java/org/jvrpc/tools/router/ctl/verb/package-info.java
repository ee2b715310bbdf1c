/**
 * What each verb of {@code jvrpc router ctl} stands on: where the control plane is, how its outcome is printed, the
 * wait for hosts to let go of addresses. Knows no verb.
 */
package org.jvrpc.tools.router.ctl.verb;
