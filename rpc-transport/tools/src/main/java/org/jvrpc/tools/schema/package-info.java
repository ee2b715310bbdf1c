/** {@code jvrpc diff}: what changed between two versions of services. Knows descriptors alone, no process. */
package org.jvrpc.tools.schema;
