package org.jvrpc.hdfs;

import java.util.List;

/**
 * What a client needs for its calls.
 *
 * @param login names user and client in each call of this session; others do not know it
 * @param methods names of the methods; their places are their numbers
 * @param light for each, whether it is called by {@link NameNodeCalls#light}
 * @param maxRequestBytes the longest request that is taken
 */
record LoginReply(long login, List<String> methods, boolean[] light, int maxRequestBytes) {
}
