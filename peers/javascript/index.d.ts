import type { RequestListener, Server as HttpServer } from 'node:http';
import type { ConnectionOptions } from 'node:tls';

/** The CGI variables of a request: docs/protocol.md section 4. */
export type Variables = Record<string, string | undefined>;

export interface Options {
    /** `host:port`, `[v6]:port` or `unix:/path`, or a list of them; all addresses of a name are dialled. */
    proxy: string | string[];
    /** What is served, such as `/hello` or `.ext`. */
    context: string | string[];
    /** Handlers at once, 1 to 65536; what comes above it waits and has not started. */
    concurrency?: number;
    /** Only requests for this virtual host. */
    vhost?: string;
    /** Who the peer is, with `keyId` and one of `key` and `keyFile`: LRWP 3.1. */
    identity?: string;
    keyId?: string;
    /** 32 to 256 bytes. */
    key?: Uint8Array;
    /** A file with the key in hexadecimal digits, for its owner only. */
    keyFile?: string;
    /** The secret of the first context; with one the peer never speaks an older version. */
    secret?: string | Uint8Array;
    /** To dial inside TLS 1.3; `ca` has to be given. */
    tls?: ConnectionOptions | null;
    /** Requests come while their body does. */
    stream?: boolean;
    /** Bytes of one body on their way, 1 to 4294967295. */
    window?: number;
    /** Protocols that are taken instead of HTTP, separated by commas. */
    upgrades?: string;
    /** After so many seconds a drain cuts what has not ended. */
    drainSeconds?: number;
    /** Says why a request is refused, or nothing; it then goes to another peer. */
    admit?: ((env: Variables) => string | null | undefined | void) | null;
    /** What the proxy's status page calls the peer. */
    name?: string;
    /** Gets the lines of the log; by default they go to standard error. */
    log?: (line: string) => void;
}

export interface Answer {
    body?: string | Uint8Array;
    /** `text/plain` when missing. */
    type?: string;
    /** Three digits, and maybe a reason. */
    status?: string | number;
    headers?: Record<string, string | number | Array<string | number>>;
}

export type Handler = (request: Request) =>
    string | Uint8Array | Answer | void | Promise<string | Uint8Array | Answer | void>;

/** One request of a peer by hand. */
export interface Request extends AsyncIterable<Buffer> {
    readonly env: Variables;
    /** Aborted when nobody waits for the answer any more; reading and writing then throw. */
    readonly signal: AbortSignal;
    /** The whole body; more than `most` bytes (64 MiB) are a TooLarge. */
    body(most?: number): Promise<Buffer>;
    /** Begins an answer that is written in pieces. */
    start(answer?: Omit<Answer, 'body'>): void;
    /** Sends a piece of the answer; await it, as it waits while the client is slow. */
    write(piece: string | Uint8Array): Promise<void>;
    /** Whether the client offers another protocol. */
    offers(protocol: string): boolean;
    /** Answers 101: reading and writing are a channel from now on. */
    upgrade(protocol: string, headers?: Answer['headers']): void;
    /** Ends the peer's direction of a channel. */
    end(): void;
}

export const Request: { prototype: Request };

/** The body is longer than the handler wants; left alone it becomes 413. */
export class TooLarge extends Error {}

/** A handler and the contexts it serves. */
export class Peer {
    constructor(options: Options, handler: Handler);
    /** Settles when a proxy has registered the first context. */
    readonly registered: Promise<void>;
    /** Serves until drained. */
    run(): Promise<void>;
    /** Finishes what has begun, takes nothing new, then leaves. */
    drain(): void;
}

export interface ServeOptions extends Options {
    /** `url` is what is below the context, which stands in `baseUrl`; `originalUrl` is all of it. */
    strip?: boolean;
}

/** Looks like an `http.Server`, and has its type, so that libraries take it; nothing listens on a port. */
export interface Server extends HttpServer {
    /** Dials the proxy; arguments but for a callback mean nothing. */
    listen(...args: any[]): this;
    /** Takes no new requests, finishes what has begun, then leaves. */
    close(callback?: (error?: Error) => void): this;
    /** Such as `lrwp://127.0.0.1:1081/app`; null while nothing is registered. */
    address(): string | null;
}

export const Server: { new (options: ServeOptions, listener?: RequestListener): Server; prototype: Server };

/** A server that does not dial yet: `listen` does. */
export function createServer(options: ServeOptions, listener?: RequestListener): Server;

/** Serves what `http.createServer` takes, at once. */
export function serve(listener: RequestListener | undefined, options: ServeOptions): Server;
