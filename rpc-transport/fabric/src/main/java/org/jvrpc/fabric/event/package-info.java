/**
 * Simulated time ({@code EventQueue}) and chance ({@code Chance}). Must never know what happens. Times are in
 * nanoseconds from 0 on. One thread.
 */
package org.jvrpc.fabric.event;
