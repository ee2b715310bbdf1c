/** What the process's clients and servers count, as meters of the application. Any thread. */
package org.jvrpc.spring.metrics;
