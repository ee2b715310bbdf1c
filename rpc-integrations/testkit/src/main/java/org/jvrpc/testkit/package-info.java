/**
 * A test kit for users of jvRPC, on JUnit 6.
 */
package org.jvrpc.testkit;
