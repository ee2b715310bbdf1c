/**
 * What routers have to know, in one file: for tests, and for one machine. Knows nothing of an ensemble. Times are
 * milliseconds where a name ends in Ms.
 */
package org.jvrpc.router.control.file;
