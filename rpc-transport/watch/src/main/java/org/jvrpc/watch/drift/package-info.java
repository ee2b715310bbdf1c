/**
 * What hosts, switches and QPs are set to, beside what they should be: the desired configuration ({@code Desired}, read
 * from YAML or JSON), the comparison ({@code Differ}), since when something has been so ({@code Sightings}), and what
 * would be done about it, as text. Nothing here changes a setting. Knows verbs and SnakeYAML; who is asked is a
 * {@code ConfigurationSource}. One thread. Times are wall clock milliseconds, which may jump.
 *
 * <p>Source of the idea: SIGCOMM 2016, "RDMA over Commodity Ethernet at Scale", 5.1 and 6.2.
 */
package org.jvrpc.watch.drift;
