/**
 * The command {@code jvrpc}: reads its arguments, prints what the checks found, and chooses the exit code. Owns words
 * and formats for people and for programs; must never know how anything is found out. One thread.
 */
package org.jvrpc.tools;
