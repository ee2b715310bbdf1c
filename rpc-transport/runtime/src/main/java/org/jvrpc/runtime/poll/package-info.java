/**
 * The thread that polls sessions, of calls, streams or messages, and what it needs for thousands of them: who is polled
 * in a round, who is looked at and when. Must never know what a session is for. Internal: public for the module's other
 * rooms. One thread a poller. Units: times in nanoseconds.
 */
package org.jvrpc.runtime.poll;
