package org.jvrpc.codegen.roundtrip;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Object graphs by Java serialization. */
final class JavaObjects implements ObjectCodec {

    @Override
    public void write(WireWriter out, Object graph) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
            objects.writeObject(graph);
        } catch (IOException e) {
            throw new RpcException(Status.INVALID_ARGUMENT, "cannot write: " + e, e);
        }
        out.writeBytes(bytes.toByteArray());
    }

    @Override
    public Object read(WireReader in) {
        byte[] bytes = in.readBytes();
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return objects.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw new RpcException(Status.INTERNAL, "cannot read: " + e, e);
        }
    }
}
