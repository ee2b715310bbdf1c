/**
 * Authentication, authorization and audit: principals, credentials of calls, and what a server is
 * told to decide by. Must never know a transport. Immutable, or called by the runtime's threads as each type says;
 * times are instants.
 */
@NullMarked
package org.jvrpc.api.auth;

import org.jspecify.annotations.NullMarked;
