/**
 * A running router's socket for those who look after it, {@code ctl.sock} in its folder: a line of words each way, then
 * it is closed. Whoever connects is who the kernel says; the router's user, root, and users who were named may ask, and
 * what they ask is in the audit log. Knows what a router is at by its vocabulary, and nothing of devices.
 */
package org.jvrpc.router.ctl;
