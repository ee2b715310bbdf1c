package org.jvrpc.watch.web;

/** What answers at one path: one of both. */
record Route(Responder responder, Intake intake) {

    /** Answers GET. Null: there is no such thing; IllegalArgumentException: the query is wrong. Any thread. */
    interface Responder {

        Body answer(Query query);
    }

    String methods() {
        return responder != null ? "GET, HEAD" : "POST";
    }
}
