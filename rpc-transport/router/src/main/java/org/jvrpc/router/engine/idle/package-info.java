/** How the worker's thread waits. Knows no tenant, ring or other room. One thread; times are nanoseconds. */
package org.jvrpc.router.engine.idle;
