/**
 * The experiments of SIGCOMM 2016, each a run with a result; {@code Experiments} prints them, {@code EXPERIMENTS.md}
 * has the figures.
 */
package org.jvrpc.fabric.experiment;
