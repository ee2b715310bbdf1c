/**
 * A router a host: virtual RNICs of tenants that do not trust each other. This is the vocabulary: the rooms below
 * know it, and it knows none of them.
 */
package org.jvrpc.router;
