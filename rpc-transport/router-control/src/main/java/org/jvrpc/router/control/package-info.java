/** The control plane of routers: tenants, virtual addresses, hosts, quotas, tokens and policies. */
package org.jvrpc.router.control;
