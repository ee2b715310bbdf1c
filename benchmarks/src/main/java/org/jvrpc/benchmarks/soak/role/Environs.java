package org.jvrpc.benchmarks.soak.role;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jvrpc.benchmarks.soak.audit.Journal;
import org.jvrpc.benchmarks.soak.audit.Notes;
import org.jvrpc.benchmarks.soak.plan.Place;

/**
 * What a process of a campaign is told at its start.
 *
 * @param folder of the campaign: the journal and the notes lie there
 * @param place which process it is
 * @param places how many the journal has room for
 * @param servers how many there are
 * @param seed of what this process draws
 */
public record Environs(Path folder, Place place, int places, int servers, long seed, Journal journal, Notes notes) {

    private static final String JOURNAL = "journal";
    private static final String NOTES = "violations";

    /** Reads the arguments that {@link #arguments} made. */
    static Environs parse(String[] words) throws IOException {
        Path folder = Path.of(words[0]);
        Place place = new Place(Integer.parseInt(words[1]), words[2], Place.Role.valueOf(words[3]), false);
        int places = Integer.parseInt(words[4]);
        return new Environs(folder, place, places, Integer.parseInt(words[5]), Long.parseLong(words[6]),
                Journal.open(journal(folder), places), new Notes(notes(folder), place.name()));
    }

    /** Returns the arguments of {@link CampaignMain}. */
    public static List<String> arguments(Path folder, Place place, int places, int servers, long seed) {
        return List.of(folder.toString(), Integer.toString(place.number()), place.name(), place.role().name(),
                Integer.toString(places), Integer.toString(servers), Long.toString(seed));
    }

    /** Returns the file of the journal in the folder of a campaign. */
    public static Path journal(Path folder) {
        return folder.resolve(JOURNAL);
    }

    /** Returns the file of the notes in the folder of a campaign. */
    public static Path notes(Path folder) {
        return folder.resolve(NOTES);
    }

    /** Returns where a server takes calls; processes have a folder of shared memory of their own, so names are free. */
    static String calls(int server) {
        return "shm://calls-" + server;
    }

    static String messages(int server) {
        return "shm://messages-" + server;
    }
}
