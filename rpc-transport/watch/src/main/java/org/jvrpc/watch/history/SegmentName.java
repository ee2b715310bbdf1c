package org.jvrpc.watch.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The name of a file: {@code history-WINDOW.mv} while it is written, {@code history-WINDOW-CRC.mv} when it is finished.
 * MVStore checks where its pages begin, not what they hold: a finished file is opened only if its checksum is right.
 */
final class SegmentName {

    static final String ENDING = ".mv";
    static final String CORRUPT = ".corrupt";

    private static final Pattern NAME = Pattern.compile("history-(\\d{13})(-([0-9a-f]{8}))?\\.mv");
    private static final int PART = 1 << 16;

    private SegmentName() {
    }

    /** Returns the window that a file began with, or -1 for other files. */
    static long begin(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : -1;
    }

    static Path unfinished(Path folder, long begin) {
        return folder.resolve(String.format(Locale.ROOT, "history-%013d" + ENDING, begin));
    }

    static boolean isFinished(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() && name.group(3) != null;
    }

    /** Returns the name that a file has to have when nothing is written to it any more. */
    static Path finished(Path file) throws IOException {
        return file.resolveSibling(String.format(Locale.ROOT, "history-%013d-%08x" + ENDING, begin(file),
                checksum(file)));
    }

    /** Tells whether a file is as it was when it was finished; one that was not is taken as it is. */
    static boolean isSound(Path file) throws IOException {
        return !isFinished(file) || finished(file).equals(file);
    }

    private static int checksum(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer part = ByteBuffer.allocate(PART);
        try (FileChannel in = FileChannel.open(file)) {
            while (in.read(part) >= 0) {
                crc.update(part.flip());
                part.clear();
            }
        }
        return (int) crc.getValue();
    }

    /** Renames a file. */
    static Path move(Path from, Path to) throws IOException {
        return Files.move(from, to);
    }
}
