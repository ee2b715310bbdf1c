/**
 * Calls with more than the plain path has: interceptors, options, metadata, an executor for callbacks. Must never know
 * how a call reaches its server. One thread a call until it is sent.
 */
package org.jvrpc.runtime.invocation;
