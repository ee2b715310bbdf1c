package org.jvrpc.offload.wr;

import java.util.ArrayList;
import java.util.List;

/** Lists of places as text: neighbours that are single bytes of one field, in either order, are one. */
public final class PlaceNames {

    private PlaceNames() {
    }

    static String join(List<Place> places) {
        List<String> names = new ArrayList<>();
        int at = 0;
        while (at < places.size()) {
            int end = at + 1;
            int step = 0;
            while (end < places.size() && goesOn(places.get(end - 1), places.get(end), step)) {
                step = places.get(end).wqeOffset() - places.get(end - 1).wqeOffset();
                end++;
            }
            names.add(end - at < 2 ? places.get(at).toString() : range(places.get(at), places.get(end - 1)));
            at = end;
        }
        return String.join(", ", names);
    }

    private static boolean goesOn(Place last, Place next, int step) {
        if (last.wr() == null || last.wr() != next.wr() || last.length() != 1 || next.length() != 1) {
            return false;
        }
        int distance = next.wqeOffset() - last.wqeOffset();
        return Math.abs(distance) == 1 && (step == 0 || step == distance) && field(last).equals(field(next));
    }

    /** Returns queue, WR and field, without the bytes of the field. */
    public static String field(Place place) {
        String name = place.toString();
        int bracket = name.lastIndexOf('[');
        return bracket > name.lastIndexOf('.') ? name.substring(0, bracket) : name;
    }

    private static String range(Place first, Place last) {
        int low = Math.min(first.wqeOffset(), last.wqeOffset());
        int count = Math.abs(first.wqeOffset() - last.wqeOffset()) + 1;
        Place all = Place.in(first.wr(), low, count);
        return all + (first.wqeOffset() < last.wqeOffset() ? "" : " reversed");
    }
}
