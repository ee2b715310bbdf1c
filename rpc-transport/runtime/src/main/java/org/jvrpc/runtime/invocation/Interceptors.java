package org.jvrpc.runtime.invocation;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.stub.MethodDescriptor;

/** The interceptors of a client's calls, the outermost first. Immutable; many threads. */
public final class Interceptors {

    /** What {@link #of} returns where no interceptor stands around a call. */
    public static final List<ClientInterceptor> NOBODY = List.of();

    private final List<ClientInterceptor> all;
    private final ClientInterceptor[] each;

    public Interceptors(List<ClientInterceptor> all) {
        this.all = List.copyOf(all);
        this.each = this.all.toArray(new ClientInterceptor[0]);
    }

    /** Returns all of them. */
    public List<ClientInterceptor> all() {
        return all;
    }

    /** Returns those that stand around the next call; allocates nothing where that is all or none of them. */
    public List<ClientInterceptor> of(MethodDescriptor method) {
        int count = 0;
        List<ClientInterceptor> some = null;
        for (int i = 0; i < each.length; i++) {
            boolean wanted = each[i].intercepts(method);
            if (some == null && i > 0 && count > 0 != wanted) { // the first that differs from those before it
                some = new ArrayList<>(all.subList(0, count));
            }
            if (wanted) {
                count++;
                if (some != null) {
                    some.add(each[i]);
                }
            }
        }
        if (count == 0) {
            return NOBODY;
        }
        return some == null ? all : some;
    }
}
