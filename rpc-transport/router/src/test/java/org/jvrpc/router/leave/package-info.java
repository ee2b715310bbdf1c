/** Devices that end, by themselves or not, while something is asked of their router: what is left there. */
package org.jvrpc.router.leave;
