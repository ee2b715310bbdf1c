package org.jvrpc.watch.rperf.control;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A connection of streams that a test has. */
final class Wire extends Socket {

    private final InputStream in;
    private final OutputStream out;
    final List<Integer> timeoutsMs = new ArrayList<>();

    Wire(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Returns what reads from a stream and keeps what it read. */
    static InputStream kept(InputStream from, ByteArrayOutputStream copy) {
        return new FilterInputStream(from) {
            @Override
            public int read(byte[] to, int at, int length) throws IOException {
                int n = super.read(to, at, length);
                if (n > 0) {
                    copy.write(to, at, n);
                }
                return n;
            }
        };
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() {
        return out;
    }

    @Override
    public void setSoTimeout(int ms) {
        timeoutsMs.add(ms);
    }
}
