/**
 * A report of figures: charts by XChart, and a Markdown page around them. Owns the form of a report; must never know
 * how figures are measured.
 */
package org.jvrpc.benchmarks.page;
