package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.map.TenantRecord;

/** The folder that the tenants' folders are in, which is the router's. Any thread. */
public final class TenantFolders implements AutoCloseable {

    private static final int OTHERS_WRITE = 022;

    private final OpenFolder folder;
    private final long patienceMs;

    private TenantFolders(OpenFolder folder, long patienceMs) {
        this.folder = folder;
        this.patienceMs = patienceMs;
    }

    /**
     * Opens it. Nobody but its owner may write to it, who is this process's user or root: else somebody could put one
     * tenant's folder in the place of another's.
     *
     * @throws RefusedException FOLDER
     */
    public static TenantFolders open(Path path) {
        return open(path, Slowly.PATIENCE_MS);
    }

    /** @param patienceMs how long a tenant may make whoever opens a file of its wait */
    static TenantFolders open(Path path, long patienceMs) {
        OpenFolder folder = OpenFolder.open(path);
        try {
            Descriptors.Facts facts = folder.facts();
            int own = Descriptors.ownUser();
            if (facts.user() != own && facts.user() != 0 || (facts.permissions() & OTHERS_WRITE) != 0) {
                throw OpenFolder.refused(folder.name(), "owner uid=" + facts.user() + " mode=" + octal(facts)
                        + ", must be uid=" + own + "'s or root's, and nobody else may write to it");
            }
            return new TenantFolders(folder, patienceMs);
        } catch (IOException e) {
            folder.close();
            throw OpenFolder.refused(folder.name(), e);
        } catch (RefusedException e) {
            folder.close();
            throw e;
        }
    }

    static String octal(Descriptors.Facts facts) {
        return String.format("%04o", facts.permissions());
    }

    /** Returns what could be tenants' folders by their names. */
    public List<TenantId> names() {
        String[] names = folder.place().toFile().list();
        return names == null ? List.of()
                : Arrays.stream(names).filter(TenantId::isName).sorted().map(TenantId::new).toList();
    }

    /** Opens a tenant's folder. @throws RefusedException FOLDER, WRONG_USER */
    public TenantFolder open(TenantRecord tenant) {
        return TenantFolder.open(folder, tenant, patienceMs);
    }

    @Override
    public void close() {
        folder.close();
    }
}
