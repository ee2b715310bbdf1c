/**
 * Tenants of a router beside what the machine allows: a router in a process of its own, made with folders, tokens and
 * control file in the folder of its contender, and tenants of other users where the system lets the benchmark make
 * them. The driver makes the place, its children live there. Times in nanoseconds, sizes in bytes.
 */
package org.jvrpc.benchmarks.router;
