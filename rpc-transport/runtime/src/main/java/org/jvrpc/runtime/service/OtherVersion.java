package org.jvrpc.runtime.service;

import java.util.Arrays;
import java.util.Map;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** The codec for a peer whose version of the service is another one: it knows what of growing records travels. */
public final class OtherVersion implements ObjectCodec {

    private final ObjectCodec objects;
    private final int[] fields;
    private final Peer peer;

    /**
     * Which client of a session the server has it for.
     *
     * @param base number of its first method
     * @param shorter what it is told: how many components travel of those of its records that do not travel whole
     */
    record Peer(String service, long fingerprint, int base, Map<String, Integer> shorter) {
    }

    OtherVersion(ObjectCodec objects, int[] fields, Peer peer) {
        this.objects = objects;
        this.fields = fields;
        this.peer = peer;
    }

    /** @param fields how many components travel of each growing record and exception */
    public OtherVersion(ObjectCodec objects, int[] fields) {
        this(objects, fields, null);
    }

    /** Returns what writes and reads object graphs. */
    public ObjectCodec objects() {
        return objects;
    }

    Peer peer() {
        return peer;
    }

    @Override
    public void write(WireWriter out, Object graph) {
        objects.write(out, graph);
    }

    @Override
    public Object read(WireReader in) {
        return objects.read(in);
    }

    @Override
    public int fields(int layout) {
        return fields[layout];
    }

    /**
     * Returns true when what one codec wrote is what the other would have written. Both are of one service; a client of
     * several servers has a plain codec for each.
     *
     * @param written null for arguments that are not written yet, which goes with any
     */
    public static boolean alike(ObjectCodec written, ObjectCodec other) {
        if (written instanceof OtherVersion a && other instanceof OtherVersion b) {
            return Arrays.equals(a.fields, b.fields);
        }
        return written == null || !(written instanceof OtherVersion) && !(other instanceof OtherVersion);
    }
}
