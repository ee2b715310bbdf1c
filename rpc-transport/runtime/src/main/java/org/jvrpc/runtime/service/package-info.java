/**
 * Services as a server has them and a client opens them: methods by number, the opening, what every handled call has,
 * interceptors, and what a caller is told of a failure. Must never know sessions' threads, links or devices. Internal:
 * public for the module's other rooms. Immutable once the server runs, but for what it offers to programs.
 */
package org.jvrpc.runtime.service;
