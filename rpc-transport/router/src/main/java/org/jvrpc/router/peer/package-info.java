/**
 * Links to the routers of other hosts: one connection by TLS a pair, both ends proven by certificates that the control
 * plane knows. What goes over them: who connects to whom, and what lanes have to say. Must never know tenants' sockets
 * or memory. One thread has all links; what is for others says so.
 */
package org.jvrpc.router.peer;
