package org.jvrpc.softrnic.router;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.verbs.VerbsException;

/** Where a tenant's token is: in its folder, unless the environment says another place. */
final class TokenFile {

    private static final String NAME = "token";
    private static final String VARIABLE = "JVRPC_ROUTER_TOKEN_FILE";

    private TokenFile() {
    }

    /** Returns the token, read anew each time; empty for none. @throws VerbsException when it cannot be read */
    static byte[] read(Path folder) {
        String chosen = System.getenv(VARIABLE);
        Path file = chosen == null ? folder.resolve(NAME) : Path.of(chosen);
        try {
            byte[] token = Files.readAllBytes(file);
            if (token.length > Hello.MAX_TOKEN) {
                throw new VerbsException("open_device", "token in " + file + " is longer than a token: bytes="
                        + token.length + " limit=" + Hello.MAX_TOKEN);
            }
            return token;
        } catch (NoSuchFileException e) {
            return new byte[0]; // the router says whether one is needed
        } catch (IOException e) {
            throw new VerbsException("open_device", "token in " + file + ": " + e, e);
        }
    }
}
