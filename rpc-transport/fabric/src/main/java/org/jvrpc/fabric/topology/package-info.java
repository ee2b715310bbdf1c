/** Usual networks, joined and with their routes: star, two tiers, podsets of a Clos. */
package org.jvrpc.fabric.topology;
