/**
 * Runs an HTTP server's listener as an LRWP peer: what http.createServer takes, and so what Express, Fastify, Koa and
 * others hand to it. It lies beside lrwp.mjs and needs nothing else.
 *
 *     import { serve } from 'lrwp';
 *
 *     const server = serve(app, { proxy: '127.0.0.1:1081', context: '/app' });
 *     process.on('SIGTERM', () => server.close());
 *
 * How it is built: the listener gets an http.IncomingMessage and an http.ServerResponse of Node itself. Each pair has a
 * small socket of its own, which hands the body to the one, and takes from the other the text that would go to a
 * client: a head of HTTP/1.1, which but for its first word is that of CGI, and the body, out of its chunks where it has
 * them.
 */

import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { Duplex } from 'node:stream';
import { Peer, Stream } from './lrwp.mjs';

const BUFFER = 65536;
const NAMES_KEPT = 1000;
const PROTOCOL = 'HTTP/1.1 ';
const END_OF_HEAD = '\r\n\r\n';

/** Where a response keeps that its writer waits for 'drain'. */
const NEEDS_DRAIN = Object.getOwnPropertySymbols(new http.ServerResponse({ method: 'GET' }))
    .find(({ description }) => description === 'kNeedDrain');

/** HTTP_USER_AGENT -> User-Agent */
const fields = new Map();

function fieldOf(variable) {
    let field = fields.get(variable);
    if (field === undefined) {
        field = variable.slice(5).toLowerCase().split('_')
            .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('-');
        if (fields.size < NAMES_KEPT) {
            fields.set(variable, field);
        }
    }
    return field;
}

/** What a listener looks at of a request, from its env block. */
class Head {
    method = '';
    url = '';
    context = '';
    remoteAddress = '';
    remotePort = 0;
    encrypted = false;
    headers = []; // name, value, name, value ...
    upgrade = false;
    #length = '';

    constructor(block, ended) {
        for (let at = 0, end; (end = block.indexOf('\0', at)) > at; at = end + 1) {
            const equals = block.indexOf('=', at);
            if (equals < end) {
                this.#take(block.slice(at, equals), block, equals + 1, end);
            }
        }
        this.upgrade &&= !ended; // a server of 1.0 passes the field on, with a request as any other
        const hasBody = !ended && !this.upgrade;
        if (this.#length !== '' && (this.#length !== '0' || !['GET', 'HEAD'].includes(this.method))) {
            this.headers.push('Content-Length', this.#length);
        } else if (hasBody && this.#length === '') {
            this.headers.push('Transfer-Encoding', 'chunked'); // this is how libraries see that there is a body
        }
    }

    #take(variable, block, from, to) {
        if (variable.startsWith('HTTP_')) {
            if (variable !== 'HTTP_CONTENT_LENGTH') {
                this.headers.push(fieldOf(variable), block.slice(from, to));
                this.upgrade ||= variable === 'HTTP_UPGRADE';
            }
            return;
        }
        switch (variable) {
            case 'REQUEST_METHOD':
                this.method = block.slice(from, to);
                break;
            case 'REQUEST_URI':
                this.url = block.slice(from, to);
                break;
            case 'SCRIPT_NAME':
                this.context = block.slice(from, to);
                break;
            case 'REMOTE_ADDR':
                this.remoteAddress = block.slice(from, to);
                break;
            case 'REMOTE_PORT':
                this.remotePort = Number(block.slice(from, to));
                break;
            case 'HTTPS':
                this.encrypted = block.slice(from, to) === 'on';
                break;
            case 'CONTENT_LENGTH':
                this.#length = block.slice(from, to);
                break;
            case 'CONTENT_TYPE':
                if (to > from) {
                    this.headers.push('Content-Type', block.slice(from, to));
                }
                break;
            default:
        }
    }
}

/** Takes a body out of its chunks. */
class Chunks {
    #left = 0; // of this chunk
    #line = ''; // the size of the next, as far as it is there
    #last = false;

    /** Hands on what of these bytes is body. */
    push(bytes, take) {
        for (let at = 0; at < bytes.length && !this.#last;) {
            if (this.#left > 0) {
                const piece = bytes.subarray(at, at + this.#left);
                take(piece);
                this.#left -= piece.length;
                at += piece.length;
            } else {
                const end = bytes.indexOf(10, at);
                this.#line += bytes.latin1Slice(at, end < 0 ? bytes.length : end);
                at = end < 0 ? bytes.length : end + 1;
                const size = this.#line.trim();
                if (end >= 0 && size !== '') { // the line behind a chunk is empty
                    this.#left = parseInt(size, 16);
                    this.#last = this.#left === 0;
                }
                this.#line = end < 0 ? this.#line : '';
            }
        }
    }
}

/** What a socket is asked about its client. */
function describe(socket, stream, head) {
    socket.stream = stream;
    socket.remoteAddress = head.remoteAddress;
    socket.remotePort = head.remotePort;
    socket.encrypted = head.encrypted;
}

const described = {
    /** The CGI variables of the request. */
    env: { get() { return this.stream.env; } },
    remoteFamily: { get() { return this.remoteAddress.includes(':') ? 'IPv6' : 'IPv4'; } },
    localAddress: { get() { return this.env.SERVER_NAME; } },
    localPort: { get() { return Number(this.env.SERVER_PORT); } },
    address: { value() { return { address: this.remoteAddress, family: this.remoteFamily, port: this.remotePort }; } },
    setNoDelay: { value() { return this; } },
    setKeepAlive: { value() { return this; } },
    ref: { value() { return this; } },
    unref: { value() { return this; } },
    setTimeout: { value: setIdleTimeout },
};

function setIdleTimeout(ms, callback) {
    clearTimeout(this.timer);
    this.timeout = ms;
    this.timer = ms > 0 ? setTimeout(() => this.timedOut(), ms).unref() : null;
    if (callback) {
        this[ms > 0 ? 'once' : 'removeListener']('timeout', callback);
    }
    return this;
}

/** The socket of one request and its response. It is closed when the response has been sent or the client is gone. */
class RequestSocket extends EventEmitter {
    destroyed = false;
    bytesRead = 0;
    bytesWritten = 0;
    timer = null;
    timeout = 0;
    _httpMessage = null; // where a response looks for itself
    #reading = false;
    #hasRead = false;
    #bodyEnded = false;
    #hasHead = false;
    #chunks = null;
    #waiting = []; // callbacks of writes, while there is too much
    #draining = false;
    #answered = false;

    constructor(stream, server, head) {
        super();
        this.server = server;
        this.noBody = head.upgrade; // the proxy's direction stays open for a tunnel, which nobody wants
        describe(this, stream, head);
        const req = new http.IncomingMessage(this);
        req._addHeaderLines(head.headers, head.headers.length);
        req.method = head.method;
        req.url = head.url;
        req.httpVersion = '1.1';
        req.httpVersionMajor = 1;
        req.httpVersionMinor = 1;
        req.complete = this.noBody || (stream._proxyEnded && stream._in.length === 0);
        server.mount(req, head, stream);
        this.req = req;
        const res = new http.ServerResponse(req);
        res.removeHeader('connection'); // which is the proxy's
        res.assignSocket(this);
        res.on('finish', () => this.#finished());
        this.res = res;
        if (server.timeout > 0) {
            this.setTimeout(server.timeout);
        }
    }

    get readable() {
        return !this.destroyed;
    }

    get writable() {
        return !this.destroyed && !this.#answered;
    }

    get writableLength() {
        return this.#waiting.length > 0 ? this.stream._out.length : 0;
    }

    // ---- in

    /** The request wants more of its body. */
    resume() {
        this.#reading = true;
        this.#hasRead = true;
        this.#pump();
        return this;
    }

    pause() {
        this.#reading = false;
        return this;
    }

    #pump() {
        const { stream, req } = this;
        while (this.#reading && stream._in.length > 0) {
            const piece = stream._in.next();
            stream._take(piece.length);
            this.bytesRead += piece.length;
            this.#reading = req.push(piece);
        }
        if (!this.#bodyEnded && (this.noBody || (stream._proxyEnded && !stream._stopped && stream._in.length === 0))) {
            this.#bodyEnded = true;
            req.complete = true;
            req.push(null);
            if (this.#answered) {
                this.#end();
            }
        }
    }

    /** Bytes of the stream have come or gone. */
    changed() {
        if (this.destroyed) {
            return;
        }
        this.timer?.refresh();
        if (!this.req.complete) {
            this.#pump();
        }
        if (this.#waiting.length > 0 && !this.#draining && !this.stream._isFull) {
            this.#draining = true;
            process.nextTick(() => this.#drained());
        }
    }

    // ---- out

    /** What a response writes: interim heads, its head, its body. */
    write(data, encoding, callback) {
        if (this.destroyed) {
            return false;
        }
        const { stream } = this;
        this.timer?.refresh();
        let piece = data;
        if (!this.#hasHead) {
            if (!this.res.headersSent) { // an interim answer, which is the proxy's to give
                if (callback) {
                    process.nextTick(callback);
                }
                return true;
            }
            piece = this.#begin(data);
        }
        if (piece.length > 0) {
            const bytes = typeof piece === 'string' ? Buffer.from(piece, encoding) : piece;
            this.bytesWritten += bytes.length;
            if (this.#chunks) {
                this.#chunks.push(bytes, (body) => stream._add(body));
            } else {
                stream._add(bytes);
            }
        }
        if (stream._isFull) {
            this.#waiting.push(callback);
            return false;
        }
        if (callback) {
            process.nextTick(callback);
        }
        return true;
    }

    /** The head comes whole, at the beginning; what is behind it is returned. */
    #begin(text) {
        const end = text.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
        let head = `Status: ${text.slice(PROTOCOL.length, end)}`;
        this.#hasHead = true;
        if (this.res.chunkedEncoding) {
            this.#chunks = new Chunks();
            head = head.replace(/\r\nTransfer-Encoding:[^\r]*/i, '');
        }
        this.stream._begin(head);
        return text.slice(end);
    }

    #drained() {
        this.#draining = false;
        const { res } = this;
        for (const callback of this.#waiting.splice(0)) {
            callback?.();
        }
        if (!this.destroyed && !res.finished && (NEEDS_DRAIN === undefined || res[NEEDS_DRAIN])) {
            if (NEEDS_DRAIN !== undefined) {
                res[NEEDS_DRAIN] = false;
            }
            res.emit('drain');
        }
        this.emit('drain');
    }

    /** All of the answer is here. While its listener still reads the request, the proxy is not told to drop that. */
    #finished() {
        if (this.destroyed) {
            return;
        }
        this.#answered = true;
        const { req } = this;
        const isRead = req.listenerCount('data') > 0 || req.listenerCount('readable') > 0;
        if (req.complete || req.destroyed || !this.#hasRead || !isRead) {
            this.#end();
        }
    }

    #end() {
        this.stream._end();
        const { req } = this;
        if (req.listenerCount('end') > 0 || req.listenerCount('close') > 0) {
            this.noBody = true; // nobody has read it
            req.removeAllListeners('data');
            this.#pump();
            req.resume();
        }
        this.#close();
    }

    // ---- the end

    #close(error) {
        this.destroyed = true;
        clearTimeout(this.timer);
        process.nextTick(() => {
            if (error && this.listenerCount('error') > 0) {
                this.emit('error', error);
            }
            this.emit('close', Boolean(error));
        });
    }

    /** Nobody waits for the answer any more: the client is gone, or the listener has given up. */
    #abort(reason, error) {
        this.stream._connection.fail(this.stream, reason);
        this.#close(error);
        // Later, as its listeners are called: they may throw.
        process.nextTick(() => this.req.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
    }

    aborted() {
        if (!this.destroyed) {
            this.#abort('');
        }
    }

    destroy(error) {
        if (!this.destroyed) {
            this.#abort('the listener has destroyed it', error);
        }
        return this;
    }

    destroySoon() {
        this.destroy();
    }

    end() {
        this.destroy();
        return this;
    }

    cork() {}

    uncork() {}

    timedOut() {
        const { req, res, server } = this;
        this.emit('timeout');
        const asked = req.complete ? [res, server] : [req, res, server];
        if (!asked.map((one) => one.emit('timeout', this)).includes(true)) {
            this.destroy();
        }
    }
}

Object.defineProperties(RequestSocket.prototype, described);
Object.assign(RequestSocket.prototype, {
    _writableState: {}, // a response says here that it has ended its corking
    writableCorked: 1, // what is written in one turn of the event loop goes out together anyway
    readableHighWaterMark: BUFFER,
    writableHighWaterMark: BUFFER,
});

/** A channel as the socket of an 'upgrade' event: the head of the 101, or of a refusal, is what is written first. */
class TunnelSocket extends Duplex {
    bytesRead = 0;
    bytesWritten = 0;
    timer = null;
    timeout = 0;
    #head = '';
    #hasHead = false;
    #reading = false;
    #bodyEnded = false;
    #waiting = null; // the callback of a write, while there is too much

    constructor(stream, server, head) {
        super({ allowHalfOpen: true });
        this.server = server;
        describe(this, stream, head);
        const req = new http.IncomingMessage(this);
        req._addHeaderLines(head.headers, head.headers.length);
        req.method = head.method;
        req.url = head.url;
        req.httpVersion = '1.1';
        req.httpVersionMajor = 1;
        req.httpVersionMinor = 1;
        req.complete = true;
        req.upgrade = true;
        server.mount(req, head, stream);
        this.req = req;
    }

    _read() {
        this.#reading = true;
        this.changed();
    }

    changed() {
        const { stream } = this;
        this.timer?.refresh();
        while (this.#reading && stream._in.length > 0) {
            const piece = stream._in.next();
            stream._take(piece.length);
            this.bytesRead += piece.length;
            this.#reading = this.push(piece);
        }
        if (stream._proxyEnded && !stream._stopped && stream._in.length === 0 && !this.#bodyEnded) {
            this.#bodyEnded = true;
            this.push(null);
        }
        if (this.#waiting && !stream._isFull) {
            process.nextTick(this.#waiting);
            this.#waiting = null;
        }
    }

    _write(piece, encoding, callback) {
        const { stream } = this;
        this.bytesWritten += piece.length;
        const bytes = this.#hasHead ? piece : this.#begin(piece);
        if (bytes.length > 0) {
            stream._add(bytes);
        }
        if (stream._isFull) {
            this.#waiting = callback;
        } else {
            callback();
        }
    }

    #begin(piece) {
        this.#head += piece.latin1Slice();
        const end = this.#head.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
        if (end < END_OF_HEAD.length) {
            return Buffer.alloc(0);
        }
        this.#hasHead = true;
        const head = this.#head.slice(PROTOCOL.length, end);
        this.stream._begin(`Status: ${head}`, head.startsWith('101'));
        return Buffer.from(this.#head.slice(end), 'latin1');
    }

    _final(callback) {
        const { stream } = this;
        if (this.#hasHead) {
            stream._end();
        } else { // no error: on a port nothing goes wrong either, and one that nobody listens for ends the program
            stream._connection.fail(stream, 'the socket has ended before its head');
        }
        callback();
        if (!stream._tunnel) { // nothing comes from the client any more
            this.destroy();
        }
    }

    _destroy(error, callback) {
        const { stream } = this;
        clearTimeout(this.timer);
        if (this.#hasHead && !stream._tunnel) { // a refusal, which on a port would be on its way
            stream._end();
        } else if (!stream._closed && !(stream._ended && stream._proxyEnded)) {
            if (stream._over && !error) {
                stream._drop();
            } else {
                stream._connection.fail(stream, 'the socket was destroyed');
            }
        }
        callback(error);
    }

    aborted() {
        this.destroy();
    }

    timedOut() {
        if (!this.emit('timeout')) {
            this.destroy();
        }
    }
}

Object.defineProperties(TunnelSocket.prototype, described);

/** One request on its way through a listener. */
class HttpStream extends Stream {
    #socket = null;

    _run() {
        // What a listener stores for asynchronous work of its own does not reach the next request.
        new AsyncResource('LRWPREQUEST').runInAsyncScope(this.#begin, this);
    }

    #begin() {
        const { server } = this._connection.peer;
        const head = new Head(this._block, this._proxyEnded);
        if (head.upgrade && server.listenerCount('upgrade') > 0) {
            this.#socket = new TunnelSocket(this, server, head);
            server.upgrade(this.#socket);
        } else {
            this.#socket = new RequestSocket(this, server, head);
            server.request(this.#socket);
        }
    }

    _changed() {
        this.#socket?.changed();
    }

    _stop() {
        this.#socket?.aborted();
    }

    _left() {
        this._release();
    }
}

class HttpPeer extends Peer {
    _streams = HttpStream;

    constructor(options, server) {
        super(options, () => {});
        this.server = server;
    }
}

/**
 * Looks like an http.Server: events 'request', 'upgrade', 'listening', 'close', 'timeout'. Nothing listens on a port:
 * listen dials the proxy, whatever its arguments say, and 'listening' comes when the first context is registered.
 */
export class Server extends EventEmitter {
    listening = false;
    timeout = 0; // ms without a byte of a request's body or answer, 0 = none
    // Of no effect, as the proxy has its own. They are here for those who set them.
    keepAliveTimeout = 0;
    headersTimeout = 0;
    requestTimeout = 0;
    maxHeadersCount = null;
    maxRequestsPerSocket = 0;
    #strip;
    #ended = null;

    constructor(options = {}, listener = undefined) {
        super({ captureRejections: true });
        const { strip = false, ...rest } = options;
        if (strip && [rest.context].flat().some((one) => `${one}`.startsWith('.'))) {
            throw new TypeError('strip is for paths: an extension, such as .php, is no prefix');
        }
        this.#strip = strip;
        this.peer = new HttpPeer({ concurrency: 1000, stream: true, upgrades: 'websocket', name: 'lrwp.serve',
            ...rest }, this);
        if (listener !== undefined) {
            this.on('request', listener);
        }
    }

    /** Dials the proxy. Arguments but for a callback mean nothing. */
    listen(...args) {
        if (this.#ended) {
            throw Object.assign(new Error('listen has been called already'), { code: 'ERR_SERVER_ALREADY_LISTEN' });
        }
        const callback = args.find((argument) => typeof argument === 'function');
        if (callback) {
            this.once('listening', callback);
        }
        this.peer.registered.then(() => {
            this.listening = true;
            this.emit('listening');
        });
        this.#ended = this.peer.run().then(() => {
            this.listening = false;
            this.emit('close');
        });
        return this;
    }

    /** Takes no new requests, finishes what has begun, then leaves. */
    close(callback) {
        if (!this.#ended || this.peer.draining) {
            if (callback) {
                process.nextTick(callback, Object.assign(new Error('the server is not running'),
                    { code: 'ERR_SERVER_NOT_RUNNING' }));
            }
            return this;
        }
        if (callback) {
            this.once('close', () => callback());
        }
        this.peer.drain();
        return this;
    }

    async [Symbol.asyncDispose ?? Symbol.for('asyncDispose')]() {
        this.close();
        await this.#ended;
    }

    /** Where it is reached, as a text: a server on a local socket has one too. */
    address() {
        return this.listening ? `lrwp://${this.peer.proxy[0]}${this.peer.context[0].replace(/^\/*/, '/')}` : null;
    }

    setTimeout(ms, callback) {
        this.timeout = ms;
        if (callback) {
            this.on('timeout', callback);
        }
        return this;
    }

    getConnections(callback) {
        process.nextTick(callback, null, this.peer.connections.size);
    }

    /** Cuts what is under way. */
    closeAllConnections() {
        this.peer.connections.forEach((connection) => connection.linger());
    }

    closeIdleConnections() {}

    ref() {
        return this;
    }

    unref() {
        return this;
    }

    /** With strip a request's url is what is below the context. */
    mount(req, head, stream) {
        if (!this.#strip || head.context === '') {
            return;
        }
        const { url, context } = head;
        const behind = url.charCodeAt(context.length);
        const [slash, question] = [47, 63];
        let rest = url.slice(context.length);
        if (!url.startsWith(context) || !(Number.isNaN(behind) || behind === slash || behind === question)) {
            // The client has written the context otherwise, such as with percent signs.
            const { PATH_INFO: path, QUERY_STRING: query } = stream.env;
            rest = encodeURI(Buffer.from(path, 'latin1').toString()).replace(/[?#]/g, encodeURIComponent)
                + (query ? `?${query}` : '');
        }
        req.originalUrl = url;
        req.baseUrl = context;
        req.url = rest.charCodeAt(0) === slash ? rest : `/${rest}`;
    }

    /** A request without a listener is for nobody. */
    request({ req, res }) {
        try {
            if (!this.emit('request', req, res)) {
                res.writeHead(404, { 'Content-Type': 'text/plain' }).end('there is nothing here\n');
            }
        } catch (error) {
            this.#failed(error, res);
        }
    }

    upgrade(socket) {
        try {
            this.emit('upgrade', socket.req, socket, Buffer.alloc(0));
        } catch (error) {
            this.#failed(error, socket);
        }
    }

    /** 500 where it can still be said, with no header of the answer that failed; else the client is cut. */
    #failed(error, sink) {
        this.peer.failed(error);
        if (sink instanceof http.ServerResponse && !sink.headersSent && !sink.writableEnded) {
            sink.getHeaderNames().forEach((name) => sink.removeHeader(name));
            sink.writeHead(500, { 'Content-Type': 'text/plain' }).end('internal error\n');
        } else {
            sink.destroy();
        }
    }

    /** An asynchronous listener has failed. */
    [Symbol.for('nodejs.rejection')](error, event, ...args) {
        if (event === 'request' || event === 'upgrade') {
            this.#failed(error, args[1]);
        } else {
            this.emit('error', error);
        }
    }
}

/** A server that does not dial yet: listen does. For frameworks that want to call it themselves. */
export function createServer(options, listener) {
    return new Server(options, listener);
}

/**
 * Serves a listener, (request, response) => ..., at once.
 *
 * Options are those of Peer, and strip: request.url is what is below the context, which stands in request.baseUrl, and
 * request.originalUrl is all of it. Other defaults than Peer's: concurrency 1000, stream true, upgrades 'websocket'.
 */
export function serve(listener, options) {
    return new Server(options, listener).listen();
}
