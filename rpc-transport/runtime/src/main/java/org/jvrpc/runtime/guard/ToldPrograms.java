package org.jvrpc.runtime.guard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;

/**
 * Who was told where the programs of some methods are, whose hosts let everybody in who knows: until one of them may
 * not, and the place is another. Any thread.
 */
public final class ToldPrograms {

    /** Of one method; whoever is one more is not told. */
    static final int MOST = 4096;

    private final BiPredicate<Who, MethodDescriptor> may;
    private final Map<String, Map<RpcPrincipal, Who>> all = new ConcurrentHashMap<>();

    ToldPrograms(BiPredicate<Who, MethodDescriptor> may) {
        this.may = may;
    }

    /** Notes from now on who is told of a method's program; nobody knows where it is. */
    public void begin(MethodDescriptor method) {
        all.put(method.fullName(), new ConcurrentHashMap<>());
    }

    /** Returns true when somebody may be told of a program; notes that, where the method's is noted. */
    boolean mayTell(Who who, MethodDescriptor method) {
        if (!may.test(who, method)) {
            return false;
        }
        Map<RpcPrincipal, Who> told = all.get(method.fullName());
        if (told == null) {
            return true;
        }
        if (told.size() >= MOST && !told.containsKey(who.principal())) {
            return false;
        }
        told.put(who.principal(), who);
        return may.test(who, method); // after it is noted, as whoever revokes looks at what is
    }

    /** Returns true when somebody who knows where a method's program is may not use it any more. */
    public boolean isKnownToStrangers(MethodDescriptor method) {
        return all.getOrDefault(method.fullName(), Map.of()).values().stream().anyMatch(who -> !may.test(who, method));
    }
}
