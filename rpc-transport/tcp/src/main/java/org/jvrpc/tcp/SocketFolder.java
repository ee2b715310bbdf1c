package org.jvrpc.tcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;

/**
 * Folders of sockets in the file system. Whoever may write to one may put another socket in a server's place, and so
 * have its clients, unless the folder is sticky, as {@code /tmp} is: there everybody's files are their own. Any thread.
 */
final class SocketFolder {

    /** Of {@code st_mode}: what is not the file's type. */
    private static final int MODE = 07777;
    private static final int WRITABLE_FOR_OTHERS = 0022;
    private static final int STICKY = 01000;
    private static final String ROOT = "root";

    private SocketFolder() {
    }

    /**
     * Fails unless a folder is of a user or of root, and nobody else may take away there what is not theirs.
     *
     * @param folder may be reached by links
     * @throws IOException which has the folder, its mode and owner, and says what to do
     */
    static void expectOwned(Path folder, String user) throws IOException {
        Map<String, Object> found = Files.readAttributes(folder, "unix:mode,owner");
        int mode = (int) found.get("mode") & MODE;
        String owner = ((UserPrincipal) found.get("owner")).getName();
        if (!isTrusted(owner, user)) {
            throw new IOException("folder=" + folder + " is of user=" + owner + ", this one is user=" + user
                    + ", mode=" + text(mode) + ": take a folder of this user's or of root's");
        }
        if ((mode & WRITABLE_FOR_OTHERS) != 0 && (mode & STICKY) == 0) {
            throw new IOException("folder=" + folder + " of user=" + owner + " has mode=" + text(mode)
                    + ", by which others may put another socket there: chmod go-w it, or chmod +t,"
                    + " or take a folder below it that is this user's alone");
        }
    }

    /**
     * Fails unless the folder is good in which a client found a socket, and where that is a link, the one it leads to.
     *
     * @throws IOException which has the folder or the link, its owner, and says what to do
     */
    static void expectOwnedAround(Path socket, String user) throws IOException {
        expectOwned(socket.getParent(), user);
        if (Files.isSymbolicLink(socket)) {
            String owner = Files.getOwner(socket, LinkOption.NOFOLLOW_LINKS).getName();
            if (!isTrusted(owner, user)) {
                throw new IOException("link=" + socket + " is of user=" + owner + ", this one is user=" + user
                        + ": take a link of this user's or of root's");
            }
            expectOwned(socket.toRealPath().getParent(), user);
        }
    }

    private static boolean isTrusted(String owner, String user) {
        return owner.equals(user) || owner.equals(ROOT);
    }

    private static String text(int mode) {
        return String.format("%04o", mode);
    }
}
