/**
 * An LRWP peer for Node 20 or newer, one file, no packages.
 *
 * A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection:
 *
 *     import { Peer } from './lrwp.mjs';
 *
 *     const peer = new Peer({ proxy: '127.0.0.1:1081', contexts: ['/hello'], concurrency: 64 },
 *         async (request) => `hello ${request.env.PATH_INFO}`);
 *     await peer.run();
 *
 * LRWP 3.0 is spoken, and 1.0 with servers that know no better. docs/protocol.md has the wire; "rule n" is section
 * 15.n there.
 *
 * How it is built: frames that are ready are gathered and written together, at the end of a turn of the event loop and
 * never while a write is under way; handlers are entered when the write that carried their STARTED is done (rule 5).
 */

import { createHmac } from 'node:crypto';
import net from 'node:net';
import { Duplex } from 'node:stream';
import tls from 'node:tls';

const [SETTINGS, REGISTER, , REGISTERED, REQUEST, RESPONSE, DATA, STARTED, REFUSED, CANCEL, WINDOW, , DRAIN, PING, PONG,
    ERROR] = Array.from({ length: 16 }, (_, index) => index + 1);
const HEAD_SIZE = 12;
const MAX_FRAME = 65536; // ours, and the least that the proxy's may be
const TURN = 16384; // DATA is cut here, and streams take turns (rule 2)
const UNLIMITED = 4294967295;
const ENOUGH = 131072; // no more octets than these are made ready before a write
const PENDING = 65536; // a handler that has written more waits
const HANDSHAKE_MS = 5000;
const LINGER_MS = 1000;
const LONGEST_DELAY_MS = 10000;
const ALPN = 'lrwp/3'; // what LRWP 3 calls itself inside TLS
const NOTHING = Buffer.alloc(0);

/** The server does not speak LRWP 3. */
class Older extends Error {}

/** The body is longer than the handler wants. Left alone, it becomes 413. */
export class TooLarge extends Error {}

function frame(type, end, stream, payload = NOTHING) {
    const octets = Buffer.alloc(HEAD_SIZE + payload.length);
    octets.writeUInt32BE(payload.length, 0);
    octets[4] = type;
    octets[5] = end ? 1 : 0;
    octets.writeUInt32BE(stream, 8);
    payload.copy(octets, HEAD_SIZE);
    return octets;
}

function number(value) {
    const four = Buffer.alloc(4);
    four.writeUInt32BE(value);
    return four;
}

function octetsOf(value) {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
        throw new TypeError(`neither a string nor octets: ${typeof value}`);
    }
    return typeof value === 'string' ? Buffer.from(value) : value;
}

/** The head of an answer. What is no header field is an error, so that no value can become a header of its own. */
function headOf(status, fields) {
    if (!/^[1-9]\d\d( |$)/.test(status)) {
        throw new TypeError('the status is not three digits and a reason');
    }
    let text = '';
    for (const [name, value] of [['Status', status], ...fields]) {
        if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) || (text !== '' && name.toLowerCase() === 'status')) {
            throw new TypeError('the name of a header is not a token, or Status');
        }
        for (const one of [value].flat()) {
            if (!/^[\t -~\x80-\xff]*$/.test(one)) {
                throw new TypeError(`the value of ${name} holds a control or is not Latin-1`);
            }
            text += `${name}: ${one}\r\n`;
        }
    }
    return Buffer.from(text + '\r\n', 'latin1');
}

/** Octets that come in pieces and are taken in others. */
class Pieces {
    length = 0;
    #list = [];

    push(piece) {
        if (piece.length > 0) {
            this.#list.push(piece);
            this.length += piece.length;
        }
    }

    /** The next so many octets, as a list of buffers. */
    take(count) {
        const taken = [];
        this.length -= count;
        while (count > 0) {
            const first = this.#list[0];
            taken.push(first.subarray(0, count));
            if (first.length <= count) {
                this.#list.shift();
            } else {
                this.#list[0] = first.subarray(count);
            }
            count -= Math.min(first.length, count);
        }
        return taken;
    }

    /** What was pushed first. */
    next() {
        const piece = this.#list.shift();
        this.length -= piece.length;
        return piece;
    }

    clear() {
        this.#list = [];
        this.length = 0;
    }
}

/**
 * One request. env: the CGI variables. signal: an AbortSignal, aborted when nobody waits for the answer any more;
 * reading and writing then throw.
 *
 * A handler returns a string, a Buffer, or { body, type, status, headers }; or nothing after start and write.
 */
export class Request {
    _in = new Pieces();
    _out = new Pieces();
    _head = NOTHING;
    _hasHead = false;
    _over = false; // the handler has returned
    _closed = false; // our direction has ended
    _entered = false;
    _tunnel = false;
    _ended = false; // our END is out
    _dropping = false; // what the client of a tunnel still sends is dropped
    _owed = 0; // read by the handler, not yet granted again
    _waiting = []; // reads and writes that wait
    _abort = new AbortController();

    constructor(connection, stream, env, body, ended) {
        this.env = env;
        this._connection = connection;
        this._stream = stream;
        this._in.push(body);
        this._proxyEnded = ended;
        this._receiveCredit = connection.peer.window - body.length;
        this._sendCredit = connection.window;
    }

    get signal() {
        return this._abort.signal;
    }

    /** The body, piece by piece: for await (const piece of request). What is read is granted again. */
    async *[Symbol.asyncIterator]() {
        for (;;) {
            await this._until(() => this._in.length > 0 || this._proxyEnded);
            if (this._in.length === 0) {
                return;
            }
            const piece = this._in.next();
            this._take(piece.length);
            yield piece;
        }
    }

    _take(count) {
        this._owed += count;
        if (!this._proxyEnded && this._owed >= this._connection.peer.window / 2) {
            this._connection.queue(WINDOW, this._stream, number(this._owed));
            this._receiveCredit += this._owed;
            this._owed = 0;
        }
    }

    /** Whether the client offers another protocol, such as 'websocket', that this peer takes. */
    offers(protocol) {
        const offered = (this.env.HTTP_UPGRADE ?? '').toLowerCase().split(',').map((name) => name.trim());
        return offered.includes(protocol.toLowerCase());
    }

    /**
     * Answers 101. From now on reading and write are a two-way channel: rule 12. Reading ends when the client sends
     * nothing more, end() says the same to the client. When the handler returns the channel ends; when it fails the
     * client is cut.
     */
    upgrade(protocol, headers = {}) {
        if (!this.offers(protocol)) {
            throw new Error(`the client has not offered ${protocol}`);
        }
        this._sendHead('101 Switching Protocols', { Upgrade: protocol, Connection: 'Upgrade', ...headers }, true);
    }

    /** Ends the peer's direction of a channel; the client's goes on. */
    end() {
        this._over = true;
        this._connection.turn(this);
    }

    /** What libraries for HTTP servers want: an IncomingMessage as far as they look at it. */
    get message() {
        const headers = {};
        for (const [name, value] of Object.entries(this.env)) {
            if (name.startsWith('HTTP_')) {
                headers[name.slice(5).toLowerCase().replaceAll('_', '-')] = value;
            }
        }
        return { method: this.env.REQUEST_METHOD, url: this.env.REQUEST_URI, httpVersion: '1.1', headers };
    }

    /** The same as the socket of an HTTP server's 'upgrade' event. */
    socket() {
        return new UpgradeSocket(this);
    }

    /** The whole body, as a Buffer. */
    async body(most = 64 * 1024 * 1024) {
        const pieces = [];
        let length = 0;
        for await (const piece of this) {
            pieces.push(piece);
            length += piece.length;
            if (length > most) {
                throw new TooLarge('the body is too large');
            }
        }
        return Buffer.concat(pieces);
    }

    /** Begins an answer that is written in pieces. It is with the client before the first piece is. */
    start({ type = 'text/plain', status = '200 OK', headers = {} } = {}) {
        this._sendHead(status, { 'Content-Type': type, ...headers });
    }

    _sendHead(status, fields, tunnel = false) {
        if (this._hasHead) {
            throw new Error('the answer has begun already');
        }
        const head = headOf(status, Object.entries(fields));
        if (head.length > this._connection.maxFrame) {
            throw new Error('the head of the answer is too long');
        }
        this._head = head;
        this._tunnel = tunnel;
        this._hasHead = true;
        this._connection.turn(this);
    }

    /** Sends a piece of the answer, at once. Await it: it waits while the client is slow. */
    async write(piece) {
        if (!this._hasHead) {
            this.start();
        }
        this._out.push(octetsOf(piece));
        this._connection.turn(this);
        await this._until(() => this._out.length <= PENDING);
    }

    async _until(condition) {
        this.signal.throwIfAborted();
        while (!condition()) {
            await new Promise((resolve) => this._waiting.push(resolve));
            this.signal.throwIfAborted();
        }
    }

    _changed() {
        this._waiting.splice(0).forEach((resolve) => resolve());
    }

    /** The handler has returned. */
    _finish(answer) {
        this.signal.throwIfAborted();
        if (answer !== undefined) {
            const whole = typeof answer === 'string' || answer instanceof Uint8Array ? { body: answer } : answer;
            const unknown = Object.keys(whole).filter((key) => !['body', 'type', 'status', 'headers'].includes(key));
            if (unknown.length > 0 || (whole.body === undefined && whole.status === undefined)) {
                throw new TypeError('an answer has a body or a status, and may have type and headers; nothing else');
            }
            const body = octetsOf(whole.body ?? '');
            this.start(whole);
            this._out.push(body);
        } else if (!this._hasHead) {
            throw new Error('the handler has returned no answer');
        }
        this._over = true;
        if (this._tunnel) {
            this._dropping = true;
            const left = this._in.length;
            this._in.clear();
            this._take(left);
        }
        this._connection.turn(this);
    }

    /** The next frame of the answer, if window and progress allow one. What is whole and fits is one frame. */
    _frame() {
        if (this._closed || this._ended || !this._hasHead) {
            return null;
        }
        const body = this._out.length;
        const room = this._connection.maxFrame - this._head.length;
        const whole = this._head.length > 0 && this._over && body <= room && !this._tunnel;
        const count = Math.min(body, whole ? body : Math.min(TURN, room), this._sendCredit);
        const end = this._over && count === body && !(this._tunnel && this._head.length > 0);
        if (count === 0 && !end && this._head.length === 0) {
            return null;
        }
        const type = this._head.length > 0 ? RESPONSE : DATA;
        const octets = frame(type, end, this._stream, Buffer.concat([this._head, ...this._out.take(count)]));
        this._head = NOTHING;
        if (this._connection.window !== UNLIMITED) {
            this._sendCredit -= count;
        }
        this._changed();
        if (end) {
            this._ended = true;
            if (!this._tunnel || this._proxyEnded) {
                this._connection.closeStream(this);
            }
        }
        return octets;
    }

    /** Tells the handler. One that runs has to end by itself; that is what frees the slot (rule 4). */
    _cancel() {
        this._proxyEnded = true;
        this._out.clear();
        this._abort.abort(new Error('nobody waits for the answer any more'));
        this._changed();
        if (this._ended) {
            this._connection.closeStream(this);
        } else if (this._over || !this._entered) {
            this._connection.fail(this, '');
        }
    }
}

/**
 * A channel as a library sees the socket of an 'upgrade' event: the head of the 101 (or of a refusal) is what it writes
 * first. done: settled when both directions have ended, for the handler to await.
 */
class UpgradeSocket extends Duplex {
    #request;
    #reading = false;
    #head = NOTHING;
    #headDone = false;

    constructor(request) {
        super({ allowHalfOpen: true });
        this.#request = request;
        this.done = new Promise((resolve) => this.on('close', resolve));
        request.signal.addEventListener('abort', () => this.destroy());
    }

    setNoDelay() {
        return this;
    }

    setTimeout() {
        return this;
    }

    setKeepAlive() {
        return this;
    }

    async _read() {
        if (this.#reading) {
            return;
        }
        this.#reading = true;
        try {
            for await (const piece of this.#request) {
                if (!this.push(piece)) {
                    await new Promise((resolve) => (this.#more = resolve));
                }
            }
            this.push(null);
        } catch (error) {
            this.destroy();
        }
    }

    #more = null;

    read(size) {
        const piece = super.read(size);
        this.#more?.();
        this.#more = null;
        return piece;
    }

    _write(piece, encoding, callback) {
        this.#send(Buffer.from(piece)).then(() => callback(), callback);
    }

    async #send(piece) {
        if (this.#headDone) {
            await this.#request.write(piece);
            return;
        }
        this.#head = Buffer.concat([this.#head, piece]);
        const at = this.#head.indexOf('\r\n\r\n');
        if (at < 0) {
            return;
        }
        const rest = this.#head.subarray(at + 4);
        this.#headDone = true;
        this.#answer(this.#head.toString('latin1', 0, at).split('\r\n'));
        if (rest.length > 0) {
            await this.#request.write(rest);
        }
    }

    #answer([first, ...lines]) {
        const headers = {};
        for (const line of lines) {
            const name = line.slice(0, line.indexOf(':'));
            const value = line.slice(name.length + 1).trim();
            headers[name] = name in headers ? [headers[name], value].flat() : value;
        }
        const hop = (name) => Object.keys(headers).find((one) => one.toLowerCase() === name);
        const status = first.slice('HTTP/1.1 '.length);
        const protocol = headers[hop('upgrade')];
        for (const name of ['connection', 'upgrade']) {
            delete headers[hop(name)];
        }
        if (status.startsWith('101')) {
            this.#request.upgrade(protocol, headers);
        } else {
            const type = headers[hop('content-type')] ?? 'text/plain';
            delete headers[hop('content-type')];
            this.#request.start({ status, type, headers });
        }
    }

    _final(callback) {
        this.#request.end();
        callback();
    }

    _destroy(error, callback) {
        const request = this.#request;
        if (!request._closed && !(request._ended && request._proxyEnded)) {
            if (request._over && !error) {
                request._dropping = true;
            } else {
                request._connection.fail(request, 'the socket was destroyed');
            }
        }
        callback(error);
    }
}

/** One connection: hello -> serving -> lingering -> gone. */
class Connection {
    state = 'hello';
    window = MAX_FRAME; // this, maxFrame and ping: the proxy's
    maxFrame = MAX_FRAME;
    ping = 0;
    good = false; // has had a request
    inbox = NOTHING;
    streams = new Map(); // number -> Request, until our direction has ended
    halfClosed = new Set(); // numbers whose proxy's direction has not
    control = []; // frames that wait for no window
    starting = []; // requests whose STARTED is among them
    turns = new Set(); // requests with something to send, in the order of their turns
    timers = [];

    constructor(peer, version) {
        this.peer = peer;
        this.version = version;
        this.ready = new Promise((resolve, reject) => Object.assign(this, { accept: resolve, refuse: reject }));
        this.leaving = new Promise((resolve) => (this.leave = resolve)); // no new requests: the next has to be dialled
        this.gone = new Promise((resolve) => (this.end = resolve));
        this.ready.catch(() => {});
        this.socket = peer.tls ? this.dialInside() : net.connect({ ...peer.address, allowHalfOpen: true });
        this.socket.setNoDelay(true);
        this.socket.setKeepAlive(true);
        this.socket.on(peer.tls ? 'secureConnect' : 'connect', () => this.connected());
        this.socket.on('data', (data) => this.received(data));
        this.socket.on('end', () => this.ended());
        this.socket.on('error', (error) => this.lose(error.message));
        this.later(HANDSHAKE_MS, () => this.state === 'hello' && this.noReply());
    }

    // ---- the connection's life

    /** Dials inside TLS; certificate and host name are checked. Only LRWP 3 has a name there. */
    dialInside() {
        return tls.connect({ minVersion: 'TLSv1.3', ...this.peer.tls, ...this.peer.address, allowHalfOpen: true,
            ALPNProtocols: this.version === 3 ? [ALPN] : undefined });
    }

    connected() {
        if (this.peer.tls && this.version === 3 && this.socket.alpnProtocol !== ALPN) {
            this.lose('', new Older(`no ALPN ${ALPN}`));
            return;
        }
        this.socket.write(Buffer.concat([
            Buffer.from(this.version === 3 ? '\xff3.0\xff' : '', 'latin1'), this.peer.names(this.peer.contexts[0])]));
    }

    later(ms, action) {
        this.timers.push(setTimeout(action, ms));
    }

    noReply() {
        const older = this.version === 3 && ['', 'O', 'OK'].includes(this.inbox.toString('latin1'));
        this.lose('no reply', older && !this.socket.connecting ? new Older('no reply that is known') : null);
    }

    ended() {
        const older = this.state === 'hello' && this.version === 3 && this.inbox.toString('latin1') === 'OK';
        this.lose('the proxy has closed', older ? new Older('a bare OK') : null);
    }

    lose(why, error = null) {
        if (this.state === 'gone') {
            return;
        }
        const wasHello = this.state === 'hello';
        const text = wasHello && this.inbox.length > 0 ? `refused: ${this.inbox.toString('latin1')}` : why;
        this.state = 'gone';
        this.timers.forEach(clearTimeout);
        clearTimeout(this.watching);
        this.socket.destroy();
        this.abandon();
        if (!wasHello && !this.peer.draining) {
            this.peer.log(`lost version=${this.version}.0 why="${why}"`);
        }
        this.refuse(error ?? new Error(text));
        this.leave();
        this.end();
    }

    /** Nobody waits any more for the answers of this connection. */
    abandon() {
        this.starting = [];
        [...this.streams.values()].forEach((request) => request._cancel());
    }

    /** Shuts the write side and reads on, so that the other side gets all that was written (rule 5). */
    linger() {
        if (this.state === 'lingering' || this.state === 'gone') {
            return;
        }
        this.state = 'lingering';
        this.abandon();
        this.socket.end();
        this.later(LINGER_MS, () => this.lose('out of time'));
    }

    /** The proxy has broken a rule. */
    fault(rule) {
        this.peer.log(`fault rule="${rule}"`);
        this.socket.write(Buffer.concat([...this.control, frame(ERROR, false, 0, Buffer.from(rule))]));
        this.linger();
    }

    /** Finishes what has come and takes no more; the proxy closes after the last answer (rule 10). */
    drain() {
        if (this.state === 'hello') {
            this.lose('draining');
        } else if (this.version === 3) {
            this.queue(DRAIN, 0);
        } else if (this.streams.size === 0) {
            this.linger();
        }
        this.later(this.peer.drainSeconds * 1000, () => this.linger());
    }

    /** The proxy pings after `ping` seconds of silence; when it does not we ask once, then give up (rule 9). */
    watch() {
        if (this.state !== 'serving' || this.ping === 0) {
            return;
        }
        const quiet = (performance.now() - this.heard) / 1000 / this.ping;
        if (quiet > 3) {
            this.lose('the proxy is silent');
            return;
        }
        if (quiet > 2 && !this.pinged) {
            this.pinged = true;
            this.queue(PING, 0, Buffer.from('are you?'));
        }
        clearTimeout(this.watching);
        this.watching = setTimeout(() => this.watch(), this.ping * 500);
    }

    // ---- out

    queue(type, stream, payload) {
        this.control.push(frame(type, false, stream, payload));
        this.schedule();
    }

    turn(request) {
        if (this.version === 3) {
            this.turns.add(request);
        } else if (request._over && !request._closed) { // 1.0: the whole answer, with its length
            const output = Buffer.concat([request._head, ...request._out.take(request._out.length)]);
            this.control.push(Buffer.from(String(output.length).padStart(9, '0')), output);
            this.closeStream(request);
        }
        this.schedule();
    }

    schedule() {
        if (!this.scheduled && !this.writing) {
            this.scheduled = true;
            setImmediate(() => this.flush());
        }
    }

    flush() {
        this.scheduled = false;
        if (this.writing || this.state !== 'serving') {
            return;
        }
        const batch = this.control;
        const started = this.starting;
        this.control = [];
        this.starting = [];
        for (let size = 0; this.turns.size > 0 && size < ENOUGH;) {
            const [request] = this.turns;
            const octets = request._frame();
            this.turns.delete(request);
            if (octets) { // it gets another turn; who has no window or nothing to send comes back by itself
                this.turns.add(request);
                batch.push(octets);
                size += octets.length;
            }
        }
        if (batch.length > 0) {
            this.writing = true;
            this.socket.write(Buffer.concat(batch), (error) => {
                this.writing = false;
                if (!error) {
                    started.forEach((request) => this.enter(request));
                    this.schedule();
                }
            });
        } else if (this.version === 1 && this.peer.draining && this.streams.size === 0) {
            this.linger();
        }
    }

    async enter(request) {
        if (request._closed || this.state !== 'serving') {
            return;
        }
        request._entered = true;
        try {
            request._finish(await this.peer.handler(request));
        } catch (error) {
            if (request.signal.aborted) {
                this.fail(request, '');
            } else if (error instanceof TooLarge && !request._hasHead) {
                request._finish({ status: '413 Content Too Large', body: 'too large\n' });
            } else {
                this.peer.log(`failed why="${error}"\n${error?.stack ?? ''}`);
                this.broken(request, `${error?.name}`);
            }
        }
    }

    /** The handler has failed: 500, or a cut when its answer is on its way. */
    broken(request, reason) {
        const sent = request._hasHead && request._head.length === 0;
        if (request._closed || request.signal.aborted || sent || this.state !== 'serving') {
            this.fail(request, reason);
            return;
        }
        request._hasHead = false;
        request._tunnel = false;
        request._out.clear();
        request._finish({ status: '500 Internal Server Error', body: 'internal error\n' });
    }

    fail(request, reason) {
        if (request._closed) {
            return;
        }
        if (this.version === 1 && this.state === 'serving' && !request.signal.aborted) {
            this.broken(request, reason); // 1.0 cannot say it otherwise
            return;
        }
        if (this.state === 'serving' && !(request._ended && request._proxyEnded)) {
            this.queue(CANCEL, request._stream, Buffer.from(reason, 'latin1').subarray(0, 1000));
        }
        this.closeStream(request);
    }

    /** Our direction has ended: nothing more goes out on this stream (rule 4). */
    closeStream(request) {
        request._closed = true;
        this.streams.delete(request._stream);
        if (!request._proxyEnded) {
            this.halfClosed.add(request._stream);
        }
    }

    // ---- in

    received(data) {
        this.inbox = this.inbox.length > 0 ? Buffer.concat([this.inbox, data]) : data;
        this.heard = performance.now();
        this.pinged = false;
        if (this.state === 'hello') {
            this.reply();
        }
        if (this.state === 'serving' && this.version === 1) {
            this.oldRequest();
        } else if (this.state === 'serving') {
            this.frames();
        } else if (this.state === 'lingering') {
            this.inbox = NOTHING;
        }
    }

    /** The reply to the hello, as far as it has come. REJECTED is never a reason to fall back; other texts are. */
    reply() {
        const text = this.inbox.toString('latin1');
        const begins = (other) => other.startsWith(text.slice(0, other.length));
        const okay = this.version === 3 ? 'OK\xff' : 'OK';
        if (begins(okay)) {
            if (text.length >= okay.length) {
                this.inbox = this.inbox.subarray(okay.length);
                this.serve();
            }
        } else if (this.version === 1) {
            // A refusal; its text ends with the connection.
        } else if (begins('CHALLENGE\xff000000032')) {
            if (this.hasProved || this.peer.secret.length === 0) {
                this.inbox = NOTHING;
                this.lose('a secret is asked for, and there is none');
            } else if (text.length >= 51) {
                const names = this.peer.names(this.peer.contexts[0]);
                const proof = createHmac('sha256', this.peer.secret)
                    .update(this.inbox.subarray(19, 51)).update(names.subarray(0, -1)).digest();
                this.socket.write(Buffer.concat([Buffer.from('000000032'), proof]));
                this.hasProved = true;
                this.inbox = this.inbox.subarray(51);
            }
        } else if (!begins('REJECTED\xff')) {
            this.lose('', new Older(text.slice(0, 100)));
        } else if (text.indexOf('\xff', 9) > 0 || text.length > 1100) {
            this.lose('', new Error(`refused: ${text.slice(9).replaceAll('\xff', '')}`));
        }
    }

    serve() {
        const { peer } = this;
        this.state = 'serving';
        peer.log(`registered context=${peer.contexts[0]} version=${this.version}.0`);
        if (this.version === 3) {
            const settings = { name: peer.name, capacity: peer.concurrency, window: peer.window, started: 1,
                stream: peer.stream ? 1 : 0, ping: 1, ...(peer.upgrades ? { upgrade: peer.upgrades } : {}) };
            const text = Object.entries(settings).map(([name, value]) => `${name}=${value}\0`).join('');
            this.queue(SETTINGS, 0, Buffer.from(text));
            peer.contexts.slice(1).forEach((context) => this.queue(REGISTER, 0, peer.names(context)));
        }
        this.accept();
    }

    frames() {
        let at = 0;
        const { inbox } = this;
        while (this.state === 'serving' && inbox.length - at >= HEAD_SIZE) {
            const length = inbox.readUInt32BE(at);
            if (length > MAX_FRAME) {
                this.fault('a frame longer than max-frame');
            } else if (inbox.length - at < HEAD_SIZE + length) {
                break;
            } else {
                const payload = inbox.subarray(at + HEAD_SIZE, at + HEAD_SIZE + length);
                this.frame(inbox[at + 4], (inbox[at + 5] & 1) === 1, inbox.readUInt32BE(at + 8), payload);
                at += HEAD_SIZE + length;
            }
        }
        this.inbox = inbox.subarray(at);
    }

    frame(type, end, stream, payload) {
        const request = this.streams.get(stream);
        if (!this.hasSettings && type !== SETTINGS) {
            this.fault('the first frame is not SETTINGS');
        } else if (type === SETTINGS) {
            this.onSettings(payload.toString('latin1'));
        } else if (type === REQUEST) {
            this.onRequest(stream, payload, end);
        } else if (type === WINDOW && payload.length !== 4) {
            this.fault('WINDOW is not 4 octets');
        } else if (type === PING) {
            this.queue(PONG, 0, payload);
        } else if (type === REGISTERED) {
            const [context, , text] = payload.toString('latin1').split('\xff');
            this.peer.log(text ? `refused context=${context} why="${text}"`
                : `registered context=${context} version=3.0`);
        } else if (type === DRAIN) {
            this.peer.log('drain by=proxy');
            this.leave();
        } else if (type === ERROR) {
            this.peer.log(`error by=proxy text="${payload.toString('latin1')}"`);
            this.linger();
        } else if (request === undefined) { // nothing but late frames on a stream that we have ended
            if (type === CANCEL || (type === DATA && end)) {
                this.halfClosed.delete(stream);
            }
        } else if (type === DATA && !request._proxyEnded) {
            this.onData(request, payload, end);
        } else if (type === WINDOW && this.window !== UNLIMITED) {
            request._sendCredit += payload.readUInt32BE();
            if (request._sendCredit > UNLIMITED) {
                this.fault('more window than 4294967295');
            } else {
                this.turn(request);
            }
        } else if (type === CANCEL) {
            request._cancel();
        }
    }

    onSettings(text) {
        this.hasSettings = true;
        for (const setting of text.split('\0')) {
            const [name, value] = setting.split('=');
            const known = { window: 'window', 'max-frame': 'maxFrame', ping: 'ping' }[name];
            if (known) {
                const least = known === 'maxFrame' ? MAX_FRAME : 0;
                if (!/^\d+$/.test(value) || Number(value) > UNLIMITED || Number(value) < least) {
                    this.fault('SETTINGS with a bad value');
                    return;
                }
                this[known] = Number(value);
            }
        }
        this.watch();
    }

    onRequest(stream, payload, end) {
        const length = payload.length >= 4 ? payload.readUInt32BE() : UNLIMITED;
        if (stream < 1 || stream > this.peer.concurrency || this.streams.has(stream) || this.halfClosed.has(stream)) {
            this.fault('REQUEST on a stream that is not free');
        } else if (length > payload.length - 4 || (length > 0 && payload[3 + length] !== 0)) {
            this.fault('REQUEST with a broken env block');
        } else if (payload.length - 4 - length > this.peer.window) {
            this.fault('more body than its window');
        } else {
            const request = this.begin(stream, payload.subarray(4, 4 + length), payload.subarray(4 + length), end);
            const reason = this.peer.draining ? 'draining' : this.peer.admit?.(request.env);
            if (reason) { // before STARTED: it goes to another connection (rule 6)
                this.queue(REFUSED, stream, Buffer.from(reason, 'latin1').subarray(0, 1000));
                this.closeStream(request);
            } else {
                this.starting.push(request);
                this.queue(STARTED, stream);
            }
        }
    }

    begin(stream, env, body, end) {
        const entries = env.toString('latin1').split('\0').filter((entry) => entry.includes('='));
        const pairs = entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
        const request = new Request(this, stream, Object.fromEntries(pairs), body, end);
        this.streams.set(stream, request);
        this.good = true;
        return request;
    }

    onData(request, payload, end) {
        request._receiveCredit -= payload.length;
        if (request._receiveCredit < 0) {
            this.fault('more body than its window');
            return;
        }
        request._proxyEnded = end;
        if (request._dropping) {
            request._take(payload.length);
        } else {
            request._in.push(payload);
        }
        request._changed();
        if (end && request._ended) {
            this.closeStream(request);
        }
    }

    /** A request of LRWP 1.0: length, env block, length, body; one at a time. */
    oldRequest() {
        const { inbox } = this;
        const digits = (at) => {
            const text = inbox.toString('latin1', at, at + 9);
            return text.length < 9 ? null : /^\d+$/.test(text) ? Number(text) : NaN;
        };
        const env = digits(0);
        const body = env === null ? null : digits(9 + env);
        if (Number.isNaN(env) || Number.isNaN(body) || this.streams.size > 0) {
            this.lose('a broken request');
        } else if (body !== null && inbox.length >= 18 + env + body) {
            const request = this.begin(1, inbox.subarray(9, 9 + env), inbox.subarray(18 + env, 18 + env + body), true);
            this.inbox = inbox.subarray(18 + env + body);
            this.enter(request);
        }
    }
}

/**
 * A handler and the contexts it serves. Options:
 *
 * proxy: 'host:port'. contexts: such as ['/echo', '.ext']; with 1.0 only the first is served, one request at a time.
 * concurrency: requests at once. secret: string or Buffer; with one there is no fallback to 1.0. vhost: only this host.
 * stream: handlers get their requests while the body is still coming. window: octets of one body on their way to us.
 * upgrades: protocols that the peer takes instead of HTTP, such as 'websocket'; see Request.upgrade.
 * tls: { ca, cert, key } as of tls.connect, to dial inside TLS 1.3; ca has to be given, cert and key if the proxy asks.
 * admit: a function of the env that says why a request is refused, or nothing; no effects in it. log: gets lines.
 */
export class Peer {
    constructor(options, handler) {
        const defaults = { concurrency: 1, secret: '', vhost: '', name: 'lrwp.mjs', stream: false, window: 262144,
            drainSeconds: 30, upgrades: '', tls: null, admit: null, log: (line) => console.error(line) };
        Object.assign(this, defaults, options, { handler, draining: false, connections: new Set() });
        const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(this.proxy) ?? [];
        if (!host) {
            throw new Error(`not HOST:PORT: ${this.proxy}`);
        }
        if (this.tls && !this.tls.ca) {
            throw new Error('tls needs ca: the certificates of the authorities that are trusted');
        }
        this.address = { host, port: Number(port) };
        this.secret = octetsOf(this.secret);
        this.drainAsked = new Promise((resolve) => (this.askDrain = resolve));
    }

    names(context) {
        return Buffer.from(`${context}\xff${this.vhost}\xff`, 'latin1');
    }

    /** Finish, then leave. */
    drain() {
        if (!this.draining) {
            this.draining = true;
            this.log('drain by=peer');
            this.askDrain();
            this.connections.forEach((connection) => connection.drain());
        }
    }

    /** Serves until drained. */
    async run() {
        let delay = 100;
        while (!this.draining) {
            let connection = null;
            try {
                connection = await this.#dial();
                await connection.leaving;
            } catch (error) {
                this.log(`lost why="${error.message}"`);
            }
            // Soon after a good connection, later and later while none is, with jitter: peers that lost their proxy
            // together do not come back together.
            delay = connection?.good ? 100 : Math.min(2 * delay, LONGEST_DELAY_MS);
            const wait = delay / 2 + (Math.random() * delay) / 2;
            let timer;
            await Promise.race([new Promise((resolve) => (timer = setTimeout(resolve, wait))), this.drainAsked]);
            clearTimeout(timer);
        }
        await Promise.all([...this.connections].map((connection) => connection.gone));
    }

    async #dial() {
        try {
            return await this.#handshake(3);
        } catch (error) {
            if (!(error instanceof Older)) {
                throw error;
            }
            if (this.secret.length > 0) {
                throw new Error(`no LRWP 3.0, and there is a secret: ${error.message}`);
            }
            this.log(`fallback version=1.0 why="${error.message}"`);
        }
        return this.#handshake(1);
    }

    async #handshake(version) {
        const connection = new Connection(this, version);
        this.connections.add(connection);
        connection.gone.then(() => this.connections.delete(connection));
        await connection.ready;
        return connection;
    }
}
