package org.jvrpc.router.lane;

/** How much of a pair's memory the connections of one tenant hold. The worker's thread. */
final class Holder {

    private int held;
    private int users;

    void use(int more) {
        users += more;
    }

    boolean isUsed() {
        return users > 0;
    }

    void hold(int more) {
        held += more;
    }

    int held() {
        return held;
    }
}
