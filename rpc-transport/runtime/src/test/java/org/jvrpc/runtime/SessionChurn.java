package org.jvrpc.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.SharedMemoryFolder;

/** The client process of {@link SessionChurnTest}: sessions that come and go. */
final class SessionChurn {

    private static final int BODY_BYTES = 100_000;
    static final int SESSIONS_PER_LOOK = 25;

    private SessionChurn() {
    }

    /** Returns the bytes that are used in the file system of a folder, whoever uses them. */
    static long usedBytes(Path folder) throws IOException {
        var store = Files.getFileStore(folder);
        return store.getTotalSpace() - store.getUnallocatedSpace();
    }

    /** Makes a number of sessions with a few calls each; says the most memory that was used, and ends. */
    static void run(String address, int sessions) throws IOException {
        Path folder = Path.of(System.getProperty(SharedMemoryFolder.PROPERTY));
        byte[] body = Bytes.of(BODY_BYTES, 3);
        long most = 0;
        for (int i = 0; i < sessions; i++) {
            try (RpcClient client = RpcClient.connect(address)) {
                Calls calls = client.stub(Calls.class);
                for (int j = 0; j < 3; j++) {
                    if (calls.add(i, j) != i + j) {
                        Parent.say("FAILED wrong sum in session " + i);
                    }
                }
                Bytes.assertSame(body, calls.echo(body), "body of session " + i);
                if (i % SESSIONS_PER_LOOK == 0) {
                    most = Math.max(most, usedBytes(folder));
                    Parent.say("PASSED " + i);
                }
            } catch (RpcException e) {
                Parent.say("FAILED session " + i + ": " + e.status() + " " + e.getMessage());
                return;
            }
        }
        Parent.say("DONE " + most);
    }
}
