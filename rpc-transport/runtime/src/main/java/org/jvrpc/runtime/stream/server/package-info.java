/**
 * Streams of a server: the sessions of those clients that have any, and the handlers' calls. Must never know sessions
 * of calls. Internal: public for the module's other rooms.
 */
package org.jvrpc.runtime.stream.server;
