/**
 * Files that a program writes for itself: {@code PrivateFile} makes them for one user and refuses
 * those that somebody else has put there, {@code RotatingFile} is a log file that rotates by its
 * size, {@code FileFault} says what is wrong with a file. This package uses the JDK alone, has no
 * threads and knows nothing of what is written.
 */
@NullMarked
package org.lrwp.files;

import org.jspecify.annotations.NullMarked;
