package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;

/** A peer that truncates the slabs which others have mapped. */
class TruncationTest {

    @Test
    void aPeerThatTruncatesItsSlabsEndsItsConnectionAndNotTheProcess() throws IOException {
        String address = SharedMemoryFolder.freshAddress();
        try (ChildJvm sink = PeerMain.start("sink", address)) {
            Path device = SharedMemoryFolder.path().resolve(sink.expect("DEVICE"));
            sink.expect("LISTENING");
            try (ChildJvm flood = PeerMain.start("flood", address)) {
                flood.expect("CONNECTED");
                sink.expect("RECEIVED");
                truncateAll(device);
                flood.expect("DISCONNECTED");
                assertEquals("ERR", flood.expect("STATE"));
                flood.expectEnd(); // by itself: the peer's truncated slab did not end it
            }
        }
    }

    @Test
    void whoExpectsToSendToOneEndsItsConnectionTooAndNotTheProcess() throws IOException {
        endsItsConnection("expect");
    }

    @Test
    void whoReadsOfOneOnTheSpotEndsItsConnectionTooAndNotTheProcess() throws IOException {
        endsItsConnection("reader");
    }

    private static void endsItsConnection(String what) throws IOException {
        String address = SharedMemoryFolder.freshAddress();
        try (ChildJvm sink = PeerMain.start("exclusive sink", address)) {
            Path device = SharedMemoryFolder.path().resolve(sink.expect("DEVICE"));
            sink.expect("LISTENING");
            try (ChildJvm sender = PeerMain.start(what, address)) {
                sender.expect("CONNECTED");
                sink.expect("ACCEPTED");
                truncateAll(device);
                assertEquals("ERR", sender.expect("STATE"));
                sender.expectEnd();
            }
        }
    }

    private static void truncateAll(Path device) throws IOException {
        try (var slabs = Files.newDirectoryStream(device, "[0-9]*")) {
            for (Path slab : slabs) {
                try (FileChannel channel = FileChannel.open(slab, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }
        }
    }
}
