/**
 * Who may do what at a server: tokens, the authorizer, what principals may cost, what is written down, and what ends
 * sessions of those who are not welcome any more. {@link org.jvrpc.runtime.guard.Guard} is one server's, a
 * {@link org.jvrpc.runtime.guard.Gate} one link's. Must never know sessions, links or devices. Internal: public for the
 * module's other rooms. Any thread, but for a gate's questions, which its link's thread asks.
 */
package org.jvrpc.runtime.guard;
