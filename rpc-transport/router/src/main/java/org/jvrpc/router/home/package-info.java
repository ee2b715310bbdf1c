/**
 * Where addresses live and who may reach whom, by the control plane and by what this host has claimed. Knows neither
 * devices nor links.
 */
package org.jvrpc.router.home;
