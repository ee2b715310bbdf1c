/**
 * Whether servers can serve: {@link org.jvrpc.api.health.ServerHealth} says it, {@link org.jvrpc.api.health.Health}
 * asks for it. What stands beside {@code Health} is what jvrpc-codegen writes for it, kept here as this module is
 * compiled before that one; a test of jvrpc-codegen compares them.
 */
@NullMarked
package org.jvrpc.api.health;

import org.jspecify.annotations.NullMarked;
