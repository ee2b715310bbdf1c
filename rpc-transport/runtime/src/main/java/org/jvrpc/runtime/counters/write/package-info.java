/**
 * Where clients and servers of this process count. Owns the process's file and who has which block of it; must never
 * know what a session or a call is. Counters that sessions share with nobody cost plain stores; making and freeing
 * blocks takes a lock and is not for hot paths.
 */
package org.jvrpc.runtime.counters.write;
