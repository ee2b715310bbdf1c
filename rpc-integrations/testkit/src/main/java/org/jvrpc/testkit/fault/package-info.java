/**
 * What goes wrong in a test, by a seed: calls of a client are late, lost, or fail, sessions and servers end. Stands
 * between stubs and the runtime's channels, and knows neither JUnit nor how servers are made. Many threads.
 */
package org.jvrpc.testkit.fault;
