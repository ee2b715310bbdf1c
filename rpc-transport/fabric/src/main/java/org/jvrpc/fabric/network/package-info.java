/**
 * Frames, links and switches: {@code Port} sends and is paused, {@code Switch} stores and forwards with
 * {@code SharedBuffer}, {@code Lane}, {@code Arbiter} and {@code AddressTables}, {@code PauseGraph} finds deadlocks.
 * Must never know QPs. Lengths are in bytes, rates in bits a second, times in nanoseconds. One thread.
 */
package org.jvrpc.fabric.network;
