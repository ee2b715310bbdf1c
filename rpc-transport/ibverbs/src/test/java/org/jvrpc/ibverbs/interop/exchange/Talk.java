package org.jvrpc.ibverbs.interop.exchange;

/** What two programs tell each other about their QPs, byte by byte. */
public interface Talk {

    /** Waits for so many bytes. */
    byte[] read(int bytes);

    void write(byte[] bytes);
}
