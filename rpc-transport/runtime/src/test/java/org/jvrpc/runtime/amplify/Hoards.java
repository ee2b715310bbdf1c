package org.jvrpc.runtime.amplify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Since;

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

    void grownAny(List<GrownFromAny> list);

    void grownMaps(Map<Short, List<Optional<GrownFromAny>>> map);

    void grownNested(List<Around> list);

    void grownSets(List<Set<GrownFromKind>> list);

    void grownKinds(List<GrownFromKind> list);

    void grownLittle(List<GrownALittle> list);

    void grownNamed(List<GrownFromName> list);

    /** Travels as a byte. */
    record Empty() { }

    /** Travels as a byte to and from those of the first version. */
    record GrownFromAny(@Since(1) long a, @Since(1) long b, @Since(1) long c, @Since(1) long d, @Since(1) long e,
            @Since(1) long f, @Since(1) String g, @Since(1) List<String> h, @Since(1) Side i,
            @Since(1) OptionalLong j) { }

    record GrownFromKind(byte kind, @Since(1) double a, @Since(2) double b, @Since(2) double c, @Since(3) double d) { }

    /** What it takes is paid for. */
    record GrownALittle(byte kind, @Since(1) int lots) { }

    /** What it takes is paid for where its name is not short. */
    record GrownFromName(String name, @Since(1) long a, @Since(1) long b, @Since(1) long c, @Since(1) long d,
            @Since(1) long e, @Since(1) long f, @Since(1) long g, @Since(1) long h, @Since(1) long i, @Since(1) long j,
            @Since(1) long k, @Since(1) long l, @Since(1) long m, @Since(1) long n, @Since(1) long o, @Since(1) long p,
            @Since(1) long q, @Since(1) long r, @Since(1) long s, @Since(1) long t) { }

    record Around(@Nullable GrownFromAny left, @Since(1) GrownFromAny right) { }

    enum Side { BUY, SELL }

    record Link(@Nullable Link next) { }
}
