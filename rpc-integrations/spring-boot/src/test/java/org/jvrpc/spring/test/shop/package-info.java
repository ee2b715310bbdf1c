/** An application, of which tests start a slice, or all. */
package org.jvrpc.spring.test.shop;
