/** What the package `lrwp` gives. */
export { Peer, Request, TooLarge } from './lrwp.mjs';
export { createServer, serve, Server } from './serve.mjs';
