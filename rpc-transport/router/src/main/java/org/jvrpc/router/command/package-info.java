/**
 * The router's end of the tenants' Unix sockets: sessions of devices, one command at a time each, and the connections
 * that they ask for. Knows the engine and the tenants' folders by the interfaces here, which those rooms implement.
 *
 * <p>One thread reads all sockets and carries out what is asked; it waits for no tenant. Answers and wakes are written
 * by any thread, without waiting. Units are bytes, and nanoseconds where a name ends in Ns.
 */
package org.jvrpc.router.command;
