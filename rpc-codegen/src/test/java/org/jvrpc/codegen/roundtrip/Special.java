package org.jvrpc.codegen.roundtrip;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcService;

/** Exceptions, nulls, one-way calls and buffers. */
@RpcService(name = "special")
public interface Special {

    String echo(String text);

    Leg leg(Leg leg, List<String> list);

    int throwing(int what) throws FileNotFoundException, IOException, Overdrawn, IllegalStateException;

    void throwingAny(int what) throws Exception;

    CompletableFuture<String> throwingLater(int what) throws Overdrawn;

    @OneWay
    void tick(long a, String b);

    void read(long seed, @Into ByteBuffer into);

    long readAndSum(@Into ByteBuffer into, long seed) throws IOException;

    long sum(@InPlace ByteBuffer bytes, int again);

    Deep deep(Deep deep);

    /** Has a reference that may not be null. */
    record Leg(String venue, int ratio) {
    }

    /** As deep as one likes. */
    record Deep(@Nullable Deep next) {
    }

    /** Carried by all its parameters. */
    class Overdrawn extends Exception {

        private static final long serialVersionUID = 1L;

        private final long account;
        private final transient List<Instant> since;

        public Overdrawn(String message, long account, List<Instant> since) {
            super(message);
            this.account = account;
            this.since = since;
        }

        public long account() {
            return account;
        }

        public List<Instant> getSince() {
            return since;
        }
    }
}
