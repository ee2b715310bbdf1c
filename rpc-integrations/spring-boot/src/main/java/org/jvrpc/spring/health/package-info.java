/** How the servers and clients of a context stand, for the actuator. Asks nobody over the network. Any thread. */
package org.jvrpc.spring.health;
