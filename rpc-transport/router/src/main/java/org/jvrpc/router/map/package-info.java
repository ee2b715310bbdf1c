/** What the control plane says of tenants, addresses, hosts and rules. Whoever reads it is in other rooms. */
package org.jvrpc.router.map;
