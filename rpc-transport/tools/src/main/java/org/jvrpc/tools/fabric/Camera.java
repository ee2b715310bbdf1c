package org.jvrpc.tools.fabric;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Page;
import org.jvrpc.fabric.trace.Pcap;
import org.jvrpc.fabric.trace.Recorder;
import org.jvrpc.fabric.trace.Watcher;

/** Records a run and writes what it looked like: a page, plots, and a capture of what hosts sent and of pauses. */
final class Camera implements Watcher, AutoCloseable {

    private final OutputFolder files;
    private final Recorder recorder;
    private final long mostFrames;
    private OutputStream packets;
    private Pcap pcap;
    private long frames;

    /**
     * Begins the files.
     *
     * @param mostFrames of the capture; 0: none is written
     */
    Camera(OutputFolder files, int samples, long mostFrames) throws IOException {
        this.files = files;
        this.mostFrames = mostFrames;
        recorder = new Recorder(samples, null);
        if (mostFrames > 0) {
            packets = files.secret("packets.pcap");
            pcap = new Pcap(packets, port -> true);
        }
    }

    @Override
    public boolean needsPayloads() {
        return pcap != null;
    }

    @Override
    public void begins(Topology made, long durationNs) {
        recorder.begins(made, durationNs);
        if (pcap != null) {
            made.network().tap(this::sent);
        }
    }

    private void sent(long nowNs, Port from, Frame frame) {
        if ((from.device().isHost() || frame.kind() == Frame.Kind.PAUSE) && frames < mostFrames) {
            frames++;
            pcap.sent(nowNs, from, frame);
        }
    }

    /** Writes the pictures. */
    void develop(String title, String result) throws IOException {
        String cutOff = frames < mostFrames || mostFrames == 0 ? "" : " The capture ended after " + frames + " frames.";
        try (OutputStream out = files.file("index.html")) {
            out.write(Page.of(recorder, title, result + cutOff).getBytes(StandardCharsets.UTF_8));
        }
        Plots.write(recorder, title, files);
    }

    @Override
    public void close() throws IOException {
        if (packets != null) {
            packets.close();
        }
    }
}
