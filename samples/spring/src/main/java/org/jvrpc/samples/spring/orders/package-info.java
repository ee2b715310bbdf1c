/** What both applications know: the service, and what it is called with. */
package org.jvrpc.samples.spring.orders;
