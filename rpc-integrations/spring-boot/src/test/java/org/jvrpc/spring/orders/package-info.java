/** Services that tests serve and call. */
package org.jvrpc.spring.orders;
