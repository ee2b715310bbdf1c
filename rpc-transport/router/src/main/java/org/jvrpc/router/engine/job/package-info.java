/**
 * What other threads have the worker do between two rounds. Knows nothing of devices but that a job is of one. Any
 * thread.
 */
package org.jvrpc.router.engine.job;
