package org.jvrpc.runtime.amplify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcService;

/** Arguments that take few bytes of a request, and many of a heap. */
@RpcService
public interface Hoards {

    void empties(List<Empty> list);

    void strings(List<String> list);

    void lists(List<List<Boolean>> list);

    void sets(List<Set<Boolean>> list);

    void maps(List<Map<Boolean, Boolean>> list);

    void entries(Map<Short, Empty> map);

    void boxes(List<Short> list);

    void options(List<Optional<Empty>> list);

    void chains(List<Link> list);

    /** Travels as a byte. */
    record Empty() { }

    record Link(@Nullable Link next) { }
}
