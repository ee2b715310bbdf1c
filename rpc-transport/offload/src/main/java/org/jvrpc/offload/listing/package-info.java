/**
 * Programs for the eye: listings, pictures, traces of what ran, and the program that writes those that are shipped.
 * Reads programs and changes none; must not be needed to build or run one. One thread.
 */
package org.jvrpc.offload.listing;
