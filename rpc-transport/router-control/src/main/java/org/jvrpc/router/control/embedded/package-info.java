/**
 * An ensemble of one server, for one machine: on the loopback address, by TLS, for users whose passwords it has drawn.
 * It is a process of its own, as ZooKeeper's server is set by system properties.
 */
package org.jvrpc.router.control.embedded;
