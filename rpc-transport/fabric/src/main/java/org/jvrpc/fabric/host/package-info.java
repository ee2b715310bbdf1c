/**
 * Hosts: a {@code Nic} has QPs ({@code RcEndpoint}), which run {@code org.jvrpc.roce.rc} as it is, for an
 * {@code Application}; memory; a cache of translations; QP 1 ({@code ManagementPort}), which runs
 * {@code org.jvrpc.roce.cm}. Must never know switches or what is beyond its link. One thread.
 */
package org.jvrpc.fabric.host;
