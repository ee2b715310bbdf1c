/**
 * What processes count, added up for whoever makes meters of it: by address, with those that are closed, so that sums
 * do not fall. Owns the sums and their meters' names; must never know a registry, nor where counters are read. One
 * thread, unless a type says otherwise.
 */
@NullMarked
package org.jvrpc.runtime.counters.totals;

import org.jspecify.annotations.NullMarked;
