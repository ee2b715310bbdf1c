/**
 * The cookbook: one small program a feature, which the pages of {@code docs} show and tests run. Each class has a
 * {@code main} that prints what it shows. Owns nothing that others use.
 */
package org.jvrpc.samples.cookbook;
