/**
 * Streams of a client: a session of their own, made by the first call that has one, and the calls. Must never know
 * sessions of calls. Internal: public for the module's other rooms. Any thread.
 */
package org.jvrpc.runtime.stream.client;
