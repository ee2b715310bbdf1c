/** The application that calls. */
package org.jvrpc.samples.spring.client;
