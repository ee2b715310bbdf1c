package org.jvrpc.runtime.poll;

/**
 * A walk over a poller's sessions, some at a time: a look at each of thousands would be a pause for the calls of all.
 * Sessions that change their places meanwhile may be met twice or not at all, until the next walk. The poller's thread.
 *
 * <pre>
 * for (int i = walk.begin(sessions.size()); i &lt; walk.end(); i++) { … }
 * </pre>
 */
public final class Walk {

    /** So many take some microseconds to be asked whether they are over. */
    public static final int MANY = 128;

    private final int most;
    private int next;
    private int end;
    private boolean hurried;
    private boolean metAll = true;

    /** @param most that are met at a time */
    public Walk(int most) {
        this.most = most;
    }

    /** Returns which of so many is met first this time; behind the last one comes the first again. */
    public int begin(int size) {
        int first = hurried || next >= size ? 0 : next;
        end = hurried ? size : Math.min(first + most, size);
        hurried = false;
        next = end < size ? end : 0;
        metAll = end - first == size;
        return first;
    }

    /** It is to meet all at once, next time: nobody is held up. */
    public void hurry() {
        hurried = true;
    }

    /** Returns before which one it stops this time. */
    public int end() {
        return end;
    }

    /** Returns true when it has met all at once: what there was to see of any before that, it has seen. */
    public boolean hasMetAllAtOnce() {
        return metAll;
    }

    /** Returns true when it has not met all of them. */
    public boolean isUnderWay() {
        return next > 0;
    }
}
