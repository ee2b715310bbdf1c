package org.jvrpc.runtime.resolve;

/** Opens resolvers of one scheme. Found as a {@link java.util.ServiceLoader} has it. Any thread. */
public interface NameResolverProvider {

    /** Returns what its targets begin with, before {@code ://}, in small letters, such as {@code zk}. */
    String scheme();

    /**
     * Opens a resolver, which does nothing before {@link NameResolver#start}; waits for nothing.
     *
     * @param target all of it, as the client's user gave it: {@code zk://host1:2181,host2:2181/service}
     * @throws IllegalArgumentException when it is no target of the scheme: the message says what one is
     */
    NameResolver open(String target, ResolverContext context);
}
