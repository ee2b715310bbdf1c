/**
 * Marks of branches that are seldom taken, by which a run of the tests shows that it took each of them. Owns the marks'
 * files; must never know what a mark means. Any thread.
 */
package org.jvrpc.verbs.rare;
