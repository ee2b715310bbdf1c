/**
 * Answers without an implementation: what a service is to answer, and what it was asked. Knows neither servers nor
 * JUnit. Thread rule: rules are made by a test's thread, calls come from any.
 */
package org.jvrpc.testkit.script;
