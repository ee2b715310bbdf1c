/**
 * What a client's front door knows of what is behind it, and what a client of several servers knows of each: interfaces
 * alone, by which one server and several look alike. Must never know sessions or transports. Internal: public for the
 * module's other rooms. Any thread.
 */
package org.jvrpc.runtime.route;
