/**
 * What a host has, can do, and lacks: one small class for each theme, over the files of {@code /proc}, {@code /sys} and
 * {@code /dev}. Owns where Linux tells these things and what cures what; must never print. Every path is below a root
 * that tests replace. One thread. Sizes are bytes unless a name says otherwise.
 */
package org.jvrpc.tools.host;
