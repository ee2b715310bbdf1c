/** Examples of what lies between hosts and tenants: simulated switches, routers. */
package org.jvrpc.samples.cookbook.networks;
