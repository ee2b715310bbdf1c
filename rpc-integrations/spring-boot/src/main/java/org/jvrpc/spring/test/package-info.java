/**
 * Tests of services and stubs alone: {@link org.jvrpc.spring.test.JvrpcTest}. Needs
 * {@code spring-boot-test-autoconfigure} and JUnit, which {@code spring-boot-starter-test} brings.
 */
package org.jvrpc.spring.test;
