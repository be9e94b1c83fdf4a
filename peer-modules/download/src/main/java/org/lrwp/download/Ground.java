package org.lrwp.download;

import org.lrwp.download.file.DiskThreads;
import org.lrwp.download.rate.RateLoop;

/**
 * What all downloads of a module share.
 *
 * @param loop the rates
 * @param disk the threads that wait for the disk
 * @param counters what is counted
 */
record Ground(RateLoop loop, DiskThreads disk, Counters counters) {}
