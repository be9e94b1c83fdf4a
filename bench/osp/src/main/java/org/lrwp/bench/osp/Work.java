package org.lrwp.bench.osp;

/** What is measured. */
@FunctionalInterface
interface Work {
    /**
     * Does some of it.
     *
     * @return how many things were done
     */
    int some() throws Exception;
}
