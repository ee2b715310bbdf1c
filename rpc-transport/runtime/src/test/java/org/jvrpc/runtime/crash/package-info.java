/** Clients and servers that end, or stand, behind any store of a call. */
package org.jvrpc.runtime.crash;
