/**
 * A test kit for users of jvRPC, on JUnit 6: {@link org.jvrpc.testkit.JvrpcExtension} starts a server a class or a
 * test, injects stubs, closes everything and tells what was left open. Rooms: {@code script} answers without an
 * implementation, {@code fault} has calls go wrong by a seed, {@code simulated} has hosts and links in virtual time.
 *
 * <p>It owns servers and clients of tests; nothing of jvRPC may know it. Threads: JUnit's call extensions; stubs are
 * for any thread.
 */
package org.jvrpc.testkit;
