/** The application that serves. */
package org.jvrpc.samples.spring.server;
