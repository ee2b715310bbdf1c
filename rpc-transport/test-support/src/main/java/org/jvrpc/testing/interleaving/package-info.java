/**
 * Two threads or three at one object, in every order of their steps. It owns the scheduler and the loader that puts
 * steps into classes; it knows nothing of what is tested.
 */
package org.jvrpc.testing.interleaving;
