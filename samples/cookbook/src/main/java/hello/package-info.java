/** The project of the five-minute start, as its page shows it. */
package hello;
