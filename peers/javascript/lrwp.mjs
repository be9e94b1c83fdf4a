/**
 * An LRWP peer for Node 20.19 or newer, one file, no packages.
 *
 * A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection:
 *
 *     import { Peer } from './lrwp.mjs';
 *
 *     const peer = new Peer({ proxy: '127.0.0.1:1081', context: '/hello', concurrency: 64 },
 *         async (request) => `hello ${request.env.PATH_INFO}`);
 *     await peer.run();
 *
 * LRWP 3.0 is spoken, 3.1 with the key of an identity, and 1.0 with servers that know no better. docs/protocol.md has
 * the wire; "rule n" is section 15.n there.
 *
 * How it is built: a Peer has a Target for each proxy, a Target a Link for each address of its name, and a Link one
 * Connection after the other. Frames that are ready are gathered and written together, at the end of a turn of the
 * event loop and never while a write is under way; a stream is entered when the write that carried its STARTED is done
 * (rule 5). A Stream is what the wire needs of one request, a Request what handlers see of it.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import dns from 'node:dns/promises';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

const [SETTINGS, REGISTER, , REGISTERED, REQUEST, RESPONSE, DATA, STARTED, REFUSED, CANCEL, WINDOW, , DRAIN, PING, PONG,
    ERROR] = Array.from({ length: 16 }, (_, index) => index + 1);
const HEAD_SIZE = 12;
const MAX_FRAME = 65536; // ours, and the least that the proxy's may be
const TURN = 16384; // DATA is cut here, and streams take turns (rule 2)
const UNLIMITED = 4294967295;
const ENOUGH = 131072; // no more bytes than these are made ready before a write
const PENDING = 65536; // a handler that has written more waits
const HANDSHAKE_MS = 5000;
const LINGER_MS = 1000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10000;
const LOOK_UP_MS = 30000;
const LONGEST_REFUSAL = 1100; // bytes
const ASK_AGAIN_MS = 30000; // for a refused context
const ALPN = 'lrwp/3'; // what LRWP 3 calls itself inside TLS
const INSTANCE = randomBytes(16).toString('hex'); // all connections of this process are one instance (rule 5)
const LEAST_KEY = 32;
const LONGEST_KEY = 256;
const NOTHING = Buffer.alloc(0);

/** The server does not speak this version of LRWP. */
class Older extends Error {}

/** What the refusals mean that a configuration mends; peers/README.md. */
const REMEDIES = new Map([
    ['ERROR: Application not permitted', "the context is another identity's, or outside the scope of this one"],
    ['ERROR: Connection requires an identity', 'set an identity and its key'],
    ['ERROR: Unauthorized access', 'the identity may not come from this address'],
    ['Incorrect LRWP challenge response', 'the proxy has another secret or key'],
]);

/** What the other side said, for a line of a log. */
const harmless = (text) => text.slice(0, 200).replaceAll(/[^ -~\xa0-\xff]/g, '?');

/** The proxy does not let a context in. */
class Refused extends Error {
    constructor(context, text) {
        super(harmless(text));
        this.context = context;
    }

    line(proxy) {
        const remedy = REMEDIES.get(this.message);
        return `refused context=${this.context} proxy=${proxy} why="${this.message}"`
            + (remedy ? ` remedy="${remedy}"` : '');
    }
}

/** The body is longer than the handler wants. Left alone, it becomes 413. */
export class TooLarge extends Error {}

/** Frames that are ready, in one buffer that is used again when it has been written. */
class Batch {
    #bytes = Buffer.allocUnsafeSlow(ENOUGH);
    length = 0;

    #room(count) {
        if (this.length + count > this.#bytes.length) {
            const larger = Buffer.allocUnsafeSlow(2 * (this.length + count));
            this.#bytes.copy(larger, 0, 0, this.length);
            this.#bytes = larger;
        }
    }

    /** The head of a frame; its payload is put behind it. */
    head(type, end, stream, length) {
        this.#room(HEAD_SIZE + length);
        const bytes = this.#bytes;
        const at = this.length;
        bytes.writeUInt32BE(length, at);
        bytes.writeUInt32BE((type << 24) | (end ? 1 << 16 : 0), at + 4);
        bytes.writeUInt32BE(stream, at + 8);
        this.length = at + HEAD_SIZE;
    }

    put(piece) {
        this.#room(piece.length);
        this.#bytes.set(piece, this.length);
        this.length += piece.length;
    }

    /** A text of Latin-1. */
    text(text) {
        this.#room(text.length);
        this.length += this.#bytes.latin1Write(text, this.length);
    }

    frame(type, stream, payload = NOTHING) {
        this.head(type, false, stream, payload.length);
        this.put(payload);
    }

    get bytes() {
        return this.#bytes.subarray(0, this.length);
    }
}

function number(value) {
    const four = Buffer.allocUnsafe(4);
    four.writeUInt32BE(value);
    return four;
}

function bytesOf(value) {
    if (typeof value === 'string') {
        return Buffer.from(value);
    }
    if (!(value instanceof Uint8Array)) {
        throw new TypeError(`a body is a string or bytes (Uint8Array), not ${kind(value)}`);
    }
    return value;
}

function kind(value) {
    return value === null ? 'null' : typeof value === 'object' ? value.constructor?.name ?? 'object' : typeof value;
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
            if (typeof one !== 'string' && typeof one !== 'number') {
                throw new TypeError(`the value of ${name} is neither a string nor a number, but ${kind(one)}`);
            }
            if (!/^[\t -~\x80-\xff]*$/.test(one)) {
                throw new TypeError(`the value of ${name} holds a control or is not Latin-1`);
            }
            text += `${name}: ${one}\r\n`;
        }
    }
    return text + '\r\n';
}

/** The CGI variables of an env block. */
function variablesOf(block) {
    const variables = {};
    for (let at = 0, end; (end = block.indexOf('\0', at)) >= 0; at = end + 1) {
        const equals = block.indexOf('=', at);
        if (equals >= at && equals < end) {
            variables[block.slice(at, equals)] = block.slice(equals + 1, end);
        }
    }
    return variables;
}

/** Bytes that come in pieces and are taken in others. */
class Pieces {
    length = 0;
    #list = [];

    push(piece) {
        if (piece.length > 0) {
            this.#list.push(piece);
            this.length += piece.length;
        }
    }

    /** Puts the next so many bytes behind what is ready. */
    moveTo(batch, count) {
        this.length -= count;
        while (count > 0) {
            const first = this.#list[0];
            if (first.length <= count) {
                batch.put(first);
                this.#list.shift();
            } else {
                batch.put(first.subarray(0, count));
                this.#list[0] = first.subarray(count);
            }
            count -= Math.min(first.length, count);
        }
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
 * What the wire needs of one request: bytes that have come and bytes that wait, windows, ends. How a request is handled
 * is a subclass's: _run when it may begin, _changed when bytes have come or gone, _stop when nobody waits for the
 * answer any more. Names with an underscore are for such classes, not for handlers.
 */
export class Stream {
    _in = new Pieces();
    _out = new Pieces();
    _head = ''; // of the answer, until it is in a frame
    _hasHead = false;
    _over = false; // nothing is added to the answer any more
    _closed = false; // our direction has ended
    _entered = false;
    _counted = false; // it is one of the concurrency
    _tunnel = false;
    _ended = false; // our END is out
    _stopped = false; // nobody waits for the answer any more
    _dropping = false; // what the client of a tunnel still sends is dropped
    _owed = 0; // read by the handler, not yet granted again
    #variables = null;

    constructor(connection, stream, block, body, ended) {
        this._connection = connection;
        this._stream = stream;
        this._block = block;
        this._proxyEnded = ended;
        this._receiveCredit = connection.peer.window - body.length;
        this._sendCredit = connection.window;
        this._in.push(body);
    }

    /** The CGI variables. */
    get env() {
        return (this.#variables ??= variablesOf(this._block));
    }

    /** Whether who writes has to wait. With 1.0 an answer is written whole, so nothing would become of waiting. */
    get _isFull() {
        return this._out.length > PENDING && this._connection.version === 3;
    }

    _run() {}

    _changed() {}

    _stop() {}

    /** Our direction has ended. A handler that runs on still counts. */
    _left() {
        if (!this._entered) {
            this._release();
        }
    }

    _release() {
        if (this._counted) {
            this._counted = false;
            this._connection.peer._released();
        }
    }

    /** So many bytes of the body have been read: as many more are welcome, unless our end has freed the slot. */
    _take(count) {
        this._owed += count;
        const { peer } = this._connection;
        if (!this._closed && !this._proxyEnded && this._owed >= peer.window / 2 && peer.window !== UNLIMITED) {
            this._connection.queue(WINDOW, this._stream, number(this._owed));
            this._receiveCredit += this._owed;
            if (this._ended) { // it may cross the proxy's END, and then counts for the next request (rule 12.8)
                const { late } = this._connection;
                late.set(this._stream, (late.get(this._stream) ?? 0) + this._owed);
            }
            this._owed = 0;
        }
    }

    /** Begins the answer: a CGI head with its blank line. */
    _begin(head, tunnel = false) {
        if (head.length > this._connection.maxFrame) {
            throw new Error(`the head of the answer is longer than ${this._connection.maxFrame} bytes`);
        }
        this._head = head;
        this._tunnel = tunnel;
        this._hasHead = true;
        this._connection.turn(this);
    }

    /** Adds to the answer. */
    _add(piece) {
        this._out.push(piece);
        this._connection.turn(this);
    }

    /** Ends the answer, or the peer's direction of a tunnel. */
    _end() {
        this._over = true;
        this._connection.turn(this);
    }

    /** Nobody reads what the client of a tunnel still sends. */
    _drop() {
        this._dropping = true;
        const left = this._in.length;
        this._in.clear();
        this._take(left);
    }

    /** Puts the next frame of the answer into a batch, if window and progress allow one; says whether they do. */
    _write(batch) {
        if (this._closed || this._ended || !this._hasHead) {
            return false;
        }
        const { _head: head, _out: out, _connection: connection } = this;
        const begins = head.length > 0;
        const room = connection.maxFrame - head.length;
        const whole = begins && this._over && out.length <= room && !this._tunnel; // it goes as one frame
        const count = Math.min(out.length, whole ? out.length : Math.min(TURN, room), this._sendCredit);
        const end = this._over && count === out.length && !(this._tunnel && begins);
        if (count === 0 && !end && !begins) {
            return false;
        }
        batch.head(begins ? RESPONSE : DATA, end, this._stream, head.length + count);
        if (begins) {
            batch.text(head);
            this._head = '';
        }
        if (count > 0) {
            out.moveTo(batch, count);
            if (connection.window !== UNLIMITED) {
                this._sendCredit -= count;
            }
            this._changed();
        }
        if (end) {
            this._ended = true;
            if (!this._tunnel || this._proxyEnded) {
                connection.closeStream(this);
            }
        }
        return !end;
    }

    /** A handler that runs has to end by itself; that is what frees the slot (rule 4). */
    _cancel() {
        this._proxyEnded = true;
        this._stopped = true;
        this._out.clear();
        this._stop();
        this._changed();
        if (this._ended) {
            this._connection.closeStream(this);
        } else if (this._over || !this._entered) {
            this._connection.fail(this, '');
        }
    }
}

/**
 * One request. env: the CGI variables. signal: an AbortSignal, aborted when nobody waits for the answer any more;
 * reading and writing then throw.
 *
 * A handler returns a string, bytes, or { body, type, status, headers }; or nothing after start and write.
 */
export class Request extends Stream {
    #waiting = []; // reads and writes that wait
    #abort = null;

    get signal() {
        if (!this.#abort) {
            this.#abort = new AbortController();
            if (this._stopped) {
                this._stop();
            }
        }
        return this.#abort.signal;
    }

    /** The body, piece by piece: for await (const piece of request). What is read is granted again. */
    async *[Symbol.asyncIterator]() {
        for (;;) {
            await this.#until(() => this._in.length > 0 || this._proxyEnded);
            if (this._in.length === 0) {
                return;
            }
            const piece = this._in.next();
            this._take(piece.length);
            yield piece;
        }
    }

    /** The whole body, as a Buffer. */
    async body(most = 64 * 1024 * 1024) {
        const pieces = [];
        let length = 0;
        for await (const piece of this) {
            pieces.push(piece);
            length += piece.length;
            if (length > most) {
                throw new TooLarge(`the body has more than ${most} bytes`);
            }
        }
        return Buffer.concat(pieces);
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
        this.#start('101 Switching Protocols', { Upgrade: protocol, Connection: 'Upgrade', ...headers }, true);
    }

    /** Ends the peer's direction of a channel; the client's goes on. */
    end() {
        this._end();
    }

    /** Begins an answer that is written in pieces. It is with the client before the first piece is. */
    start({ type = 'text/plain', status = '200 OK', headers = {} } = {}) {
        const hasType = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
        this.#start(status, hasType ? headers : { 'Content-Type': type, ...headers });
    }

    #start(status, fields, tunnel = false) {
        if (this._hasHead) {
            throw new Error('the answer has begun already');
        }
        this._begin(headOf(status, Object.entries(fields)), tunnel);
    }

    /** Sends a piece of the answer, at once. Await it: it waits while the client is slow. */
    async write(piece) {
        if (!this._hasHead) {
            this.start();
        }
        this._add(bytesOf(piece));
        await this.#until(() => !this._isFull);
    }

    #requireClient() {
        if (this._stopped) {
            this.signal.throwIfAborted();
        }
    }

    async #until(condition) {
        this.#requireClient();
        while (!condition()) {
            await new Promise((resolve) => this.#waiting.push(resolve));
            this.#requireClient();
        }
    }

    _changed() {
        if (this.#waiting.length > 0) {
            this.#waiting.splice(0).forEach((resolve) => resolve());
        }
    }

    _stop() {
        this.#abort?.abort(new Error('nobody waits for the answer any more'));
    }

    async _run() {
        const { peer } = this._connection;
        try {
            this.#finish(await peer.handler(this));
        } catch (error) {
            if (this._stopped) {
                this._connection.fail(this, '');
            } else if (error instanceof TooLarge && !this._hasHead) {
                this.#finish({ status: '413 Content Too Large', body: 'too large\n' });
            } else {
                peer.failed(error);
                this.#broken(`${error?.name}`);
            }
        } finally {
            this._release();
        }
    }

    /** The handler has returned. */
    #finish(answer) {
        this.#requireClient();
        if (answer !== undefined) {
            const whole = typeof answer === 'string' || answer instanceof Uint8Array ? { body: answer } : answer;
            if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) {
                throw new TypeError(`the handler's answer is ${kind(answer)}: an answer is a string, bytes (Uint8Array)`
                    + ' or { body, type, status, headers }');
            }
            const unknown = Object.keys(whole).filter((key) => !['body', 'type', 'status', 'headers'].includes(key));
            if (unknown.length > 0 || (whole.body === undefined && whole.status === undefined)) {
                throw new TypeError('an answer has a body or a status, and may have type and headers; nothing else'
                    + (unknown.length > 0 ? `, such as ${unknown[0]}` : ''));
            }
            const body = bytesOf(whole.body ?? '');
            this.start(whole);
            this._out.push(body);
        } else if (!this._hasHead) {
            throw new Error('the handler has returned no answer');
        }
        this._end();
        if (this._tunnel) {
            this._drop();
        }
    }

    /** The handler has failed: 500, or a cut when its answer is on its way. */
    #broken(reason) {
        const sent = this._hasHead && this._head.length === 0;
        if (this._closed || sent || this._connection.state !== 'serving') {
            this._connection.fail(this, reason);
            return;
        }
        this._hasHead = false;
        this._out.clear();
        this.#finish({ status: '500 Internal Server Error', body: 'internal error\n' });
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
    hello = NOTHING;
    streams = new Map(); // number -> Stream, until our direction has ended
    halfClosed = new Set(); // numbers whose proxy's direction has not
    late = new Map(); // of each slot: what was granted behind our END of a tunnel
    ready = new Batch(); // frames that wait for no window
    written = new Batch(); // on its way, or free
    starting = []; // streams whose STARTED is in it
    turns = new Set(); // streams with something to send, in the order of their turns
    timers = [];

    /** address: what net.connect takes. context: the one of the startup string. */
    constructor(peer, target, address, context, version) {
        this.peer = peer;
        this.target = target;
        this.context = context;
        this.version = version;
        this.accepted = new Promise((resolve, reject) => Object.assign(this, { accept: resolve, refuse: reject }));
        this.leaving = new Promise((resolve) => (this.leave = resolve)); // no new requests: the next has to be dialled
        this.gone = new Promise((resolve) => (this.end = resolve));
        this.accepted.catch(() => {});
        this.socket = peer.tls ? this.dialInside(address) : net.connect({ ...address, allowHalfOpen: true });
        this.socket.setNoDelay(true);
        this.socket.setKeepAlive(true);
        this.socket.on(peer.tls ? 'secureConnect' : 'connect', () => this.connected());
        this.socket.on('data', (data) => this.received(data));
        this.socket.on('end', () => this.ended());
        this.socket.on('error', (error) => this.lose(error.code === 'ERR_SSL_WRONG_VERSION_NUMBER'
            ? 'there is no TLS at this port' : error.message || error.code));
        this.later(HANDSHAKE_MS, () => this.state === 'hello' && this.noReply());
    }

    // ---- the connection's life

    /** Dials inside TLS; certificate and host name are checked. Only LRWP 3 has a name there. */
    dialInside(address) {
        const { host } = this.target;
        return tls.connect({ minVersion: 'TLSv1.3', ...this.peer.tls, ...address, allowHalfOpen: true,
            ...(net.isIP(host) ? {} : { servername: host }),
            ALPNProtocols: this.version === 1 ? undefined : [ALPN] });
    }

    connected() {
        const { peer, version } = this;
        if (peer.tls && version !== 1 && this.socket.alpnProtocol !== ALPN) {
            this.lose('', new Older(`no ALPN ${ALPN}`));
            return;
        }
        const begin = version === 1 ? '' : `\xff${this.spoken}\xff`;
        const nonce = randomBytes(32).toString('hex');
        const claim = peer.identity ? `${peer.identity}\xff${peer.keyId}\xff${nonce}\xff` : '';
        this.hello = Buffer.from(`${begin}${peer.names(this.context)}${claim}`, 'latin1');
        this.socket.write(this.hello);
    }

    later(ms, action) {
        this.timers.push(setTimeout(action, ms));
    }

    noReply() {
        const older = this.version === 3 && !this.hasProved && ['', 'O', 'OK'].includes(this.inbox.toString('latin1'));
        this.lose(`no reply within ${HANDSHAKE_MS / 1000} s`,
            older && !this.socket.connecting ? new Older('no reply that is known') : null);
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
        const said = wasHello ? this.inbox.toString('latin1') : '';
        this.state = 'gone';
        this.timers.forEach(clearTimeout);
        clearTimeout(this.watching);
        this.socket.destroy();
        this.abandon();
        if (!wasHello && !this.peer.draining) {
            this.peer.log(`lost proxy=${this.target.text} version=${this.spoken} why="${why}"`);
        }
        this.refuse(error ?? (said ? new Refused(this.context, said) : new Error(why)));
        this.leave();
        this.end();
    }

    get spoken() {
        return this.version === 1 ? '1.0' : this.peer.identity ? '3.1' : '3.0';
    }

    /** Nobody waits any more for the answers of this connection. */
    abandon() {
        this.starting = [];
        [...this.streams.values()].forEach((stream) => stream._cancel());
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
        this.peer.log(`fault proxy=${this.target.text} rule="${rule}"`);
        this.ready.frame(ERROR, 0, Buffer.from(rule));
        this.socket.write(this.ready.bytes);
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
        this.ready.frame(type, stream, payload);
        this.schedule();
    }

    turn(stream) {
        if (this.version === 3) {
            this.turns.add(stream);
        } else if (stream._over && !stream._closed) { // 1.0: the whole answer, with its length
            const length = stream._head.length + stream._out.length;
            this.ready.text(String(length).padStart(9, '0') + stream._head);
            stream._out.moveTo(this.ready, stream._out.length);
            this.closeStream(stream);
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
        const { ready, starting, turns } = this;
        for (const most = ready.length + ENOUGH; turns.size > 0 && ready.length < most;) {
            const [stream] = turns;
            turns.delete(stream);
            if (stream._write(ready)) { // another turn; who has no window or nothing to send comes back by itself
                turns.add(stream);
            }
        }
        if (ready.length > 0) {
            this.writing = true;
            this.starting = [];
            this.ready = this.written;
            this.ready.length = 0;
            this.written = ready;
            this.socket.write(ready.bytes, (error) => {
                this.writing = false;
                if (!error) {
                    starting.forEach((stream) => this.enter(stream));
                    this.schedule();
                }
            });
        } else if (this.version === 1 && this.peer.draining && this.streams.size === 0) {
            this.linger();
        }
    }

    /** There is room for one more handler. */
    start(stream) {
        if (this.version === 3) {
            this.starting.push(stream);
            this.queue(STARTED, stream._stream);
        } else {
            this.enter(stream);
        }
    }

    enter(stream) {
        if (stream._closed || this.state !== 'serving') {
            stream._release();
            return;
        }
        stream._entered = true;
        stream._run();
    }

    refuseStream(stream, reason) {
        if (this.version === 3) {
            this.queue(REFUSED, stream._stream, Buffer.from(reason, 'latin1').subarray(0, 1000));
            this.closeStream(stream);
        }
    }

    fail(stream, reason) {
        if (stream._closed) {
            return;
        }
        if (this.state === 'serving' && !(stream._ended && stream._proxyEnded)) {
            if (this.version === 3) {
                this.queue(CANCEL, stream._stream, Buffer.from(reason, 'latin1').subarray(0, 1000));
            } else { // 1.0 cannot say it otherwise
                this.ready.text('000000000');
                this.schedule();
            }
        }
        this.closeStream(stream);
    }

    /** Our direction has ended: nothing more goes out on this stream (rule 4). */
    closeStream(stream) {
        if (stream._closed) {
            return;
        }
        stream._closed = true;
        this.streams.delete(stream._stream);
        if (!stream._proxyEnded) {
            this.halfClosed.add(stream._stream);
        }
        stream._left();
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
        if (this.starting.length > 0) { // at once: handlers wait for it
            this.flush();
        }
    }

    /** The reply to the hello, as far as it has come. REJECTED is never a reason to fall back; other texts are. */
    reply() {
        const { peer } = this;
        const text = this.inbox.toString('latin1');
        const begins = (other) => other.startsWith(text.slice(0, other.length));
        const okay = this.version === 3 ? 'OK\xff' : 'OK';
        if (begins('HTTP/') && text.length >= 5) {
            this.lose('', new Error('this is a port for HTTP, not for LRWP'));
        } else if (text[0] === '\x15') {
            this.lose('', new Error('this port speaks TLS'));
        } else if (begins('REJECTED\xff')) {
            if (text.indexOf('\xff', 9) > 0 || text.length > LONGEST_REFUSAL) {
                this.lose('', new Refused(this.context, text.slice(9).replaceAll('\xff', '')));
            }
        } else if (peer.identity && !this.hasProved) {
            this.replyToClaim(begins, text.length);
        } else if (begins(okay)) {
            if (text.length >= okay.length) {
                this.inbox = this.inbox.subarray(okay.length);
                this.serve();
            }
        } else if (this.version === 1) {
            if (text.length > LONGEST_REFUSAL) { // it ends with the connection
                this.lose('');
            }
        } else if (begins('CHALLENGE\xff000000032')) {
            this.replyToChallenge();
        } else {
            const error = peer.identity ? Error : Older;
            this.lose('', new error(harmless(text)));
        }
    }

    /** The challenge of a secret: section 12. */
    replyToChallenge() {
        const { peer } = this;
        if (this.hasProved || peer.secret.length === 0) {
            this.inbox = NOTHING;
            this.lose('a secret is asked for, and there is none');
        } else if (this.inbox.length >= 51) {
            this.prove(createHmac('sha256', peer.secret).update(this.inbox.subarray(19, 51))
                .update(peer.names(this.context).slice(0, -1), 'latin1').digest(), 51);
        }
    }

    /** The challenge of a key: section 17. With a key id nothing else is accepted. */
    replyToClaim(begins, length) {
        const { peer } = this;
        if (!begins('CHALLENGE\xff000000064')) {
            this.inbox = NOTHING;
            this.lose('', new Error('the proxy does not ask for the key, as LRWP 3.1 does'));
        } else if (length >= 83) {
            const seen = [this.hello, this.inbox.subarray(19, 51)];
            if (peer.tls) {
                seen.push(createHash('sha256').update(this.socket.getPeerX509Certificate().raw).digest());
            }
            const proof = (who) => createHmac('sha256', peer.key).update(`lrwp3 ${who}\0`)
                .update(Buffer.concat(seen)).digest();
            if (timingSafeEqual(this.inbox.subarray(51, 83), proof('proxy'))) {
                this.prove(proof('peer'), 83);
            } else {
                this.inbox = NOTHING;
                this.lose('', new Error('the proxy does not have the key of this identity'));
            }
        }
    }

    prove(proof, length) {
        this.socket.write(Buffer.concat([Buffer.from('000000032'), proof]));
        this.hasProved = true;
        this.inbox = this.inbox.subarray(length);
        if (this.inbox.length > 0) {
            this.reply();
        }
    }

    serve() {
        const { peer } = this;
        this.state = 'serving';
        peer.log(`registered context=${this.context} version=${this.spoken} proxy=${this.target.text}`);
        peer.tellRegistered();
        if (this.version === 3) {
            const settings = { name: peer.name, capacity: peer.concurrency, window: peer.window, started: 1,
                stream: peer.stream ? 1 : 0, ping: 1, instance: INSTANCE,
                ...(peer.upgrades ? { upgrade: peer.upgrades } : {}) };
            const text = Object.entries(settings).map(([name, value]) => `${name}=${value}\0`).join('');
            this.queue(SETTINGS, 0, Buffer.from(text));
            peer.context.filter((context) => context !== this.context)
                .forEach((context) => this.ask(context));
        }
        this.accept();
    }

    ask(context) {
        this.queue(REGISTER, 0, Buffer.from(this.peer.names(context), 'latin1'));
    }

    /** A refused context is asked for again after a while: the proxy may have been configured for it. */
    onRegistered(context, vhost, text) {
        const { peer, target } = this;
        if (!text) {
            peer.log(`registered context=${context} version=${this.spoken} proxy=${target.text}`);
            return;
        }
        peer.log(new Refused(context, text).line(target.text));
        if (peer.context.includes(context)) {
            const again = () => this.state === 'serving' && !peer.draining && this.ask(context);
            setTimeout(again, peer.askAgainMs).unref();
        }
    }

    frames() {
        let at = 0;
        const { inbox } = this;
        try {
            while (this.state === 'serving' && inbox.length - at >= HEAD_SIZE) {
                const head = at;
                const length = inbox.readUInt32BE(head);
                const begin = head + HEAD_SIZE;
                if (length > MAX_FRAME) {
                    this.fault('a frame longer than max-frame');
                } else if (inbox.length < begin + length) {
                    break;
                } else {
                    at = begin + length;
                    this.frame(inbox[head + 4], (inbox[head + 5] & 1) === 1, inbox.readUInt32BE(head + 8),
                        inbox.subarray(begin, at));
                }
            }
        } catch (error) { // a program's listener has thrown: its process may live on, and so do the other streams
            setImmediate(() => this.received(NOTHING));
            throw error;
        } finally {
            this.inbox = at < inbox.length ? inbox.subarray(at) : NOTHING;
        }
    }

    frame(type, end, stream, payload) {
        const request = this.streams.get(stream);
        if (!this.hasSettings && type !== SETTINGS) {
            this.fault('the first frame is not SETTINGS');
        } else if (type === SETTINGS && this.hasSettings) {
            this.fault('a second SETTINGS');
        } else if (type === SETTINGS) {
            this.onSettings(payload.toString('latin1'));
        } else if (type === REQUEST) {
            this.onRequest(stream, payload, end);
        } else if (type === WINDOW && payload.length !== 4) {
            this.fault('WINDOW is not 4 bytes');
        } else if (type === PING && payload.length !== 8) {
            this.fault('PING is not 8 bytes');
        } else if (type === PING) {
            this.queue(PONG, 0, payload);
        } else if (type === REGISTERED) {
            this.onRegistered(...payload.toString('latin1').split('\xff'));
        } else if (type === DRAIN) {
            this.peer.log(`drain by=proxy proxy=${this.target.text}`);
            this.leave();
        } else if (type === ERROR) {
            this.peer.log(`error by=proxy proxy=${this.target.text} text="${harmless(payload.toString('latin1'))}"`);
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
        if (text.length > 0 && !text.endsWith('\0')) {
            this.fault('SETTINGS without a NUL at the end');
            return;
        }
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
        const { peer } = this;
        if (stream < 1 || stream > peer.concurrency || this.streams.has(stream) || this.halfClosed.has(stream)) {
            this.fault('REQUEST on a stream that is not free');
        } else if (length > payload.length - 4 || (length > 0 && payload[3 + length] !== 0)) {
            this.fault('REQUEST with a broken env block');
        } else if (payload.length - 4 - length > peer.window + (this.late.get(stream) ?? 0)) {
            this.fault('more body than its window');
        } else {
            const request = this.begin(stream, payload.latin1Slice(4, 4 + length), payload.subarray(4 + length), end);
            request._receiveCredit += this.late.get(stream) ?? 0;
            this.late.delete(stream);
            const reason = peer.draining ? 'draining' : peer._refusal(request);
            if (reason) { // before STARTED: it goes to another connection (rule 6)
                this.refuseStream(request, reason);
            } else {
                peer._admitted(request);
            }
        }
    }

    begin(number, block, body, end) {
        const stream = new this.peer._streams(this, number, block, body, end);
        this.streams.set(number, stream);
        this.good = true;
        return stream;
    }

    onData(stream, payload, end) {
        stream._receiveCredit -= payload.length;
        if (stream._receiveCredit < 0 && this.peer.window !== UNLIMITED) {
            this.fault('more body than its window');
            return;
        }
        stream._proxyEnded = end;
        if (stream._dropping) {
            stream._take(payload.length);
        } else {
            stream._in.push(payload);
        }
        stream._changed();
        if (end && stream._ended) {
            this.closeStream(stream);
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
            this.inbox = inbox.subarray(18 + env + body);
            const content = inbox.subarray(18 + env, 18 + env + body);
            this.peer._admitted(this.begin(1, inbox.latin1Slice(9, 9 + env), content, true));
        }
    }
}

/** One address of a proxy: a connection to it, and the next when that one is gone. */
class Link {
    #peer;
    #target;
    #refusals = 0;
    #told = '';
    serving = false;

    constructor(peer, target, address) {
        this.#peer = peer;
        this.#target = target;
        this.address = address;
        this.ended = this.#run();
    }

    async #run() {
        const peer = this.#peer;
        const target = this.#target;
        let delay = FIRST_DELAY_MS;
        while (!peer.draining && target.has(this)) {
            let held = 0;
            let connection = null;
            try {
                connection = await this.#dial();
                const since = performance.now();
                this.serving = true;
                this.#told = '';
                await connection.leaving;
                held = performance.now() - since;
            } catch (error) {
                this.#tell(error);
            }
            this.serving = false;
            target.lookUpAgain();
            // Soon after a good connection, later and later while none is, with jitter: peers that lost their proxy
            // together do not come back together.
            const wasGood = connection?.good || held > LONGEST_DELAY_MS;
            delay = wasGood ? FIRST_DELAY_MS : Math.min(2 * delay, LONGEST_DELAY_MS);
            await peer.pause(delay / 2 + (Math.random() * delay) / 2);
        }
        target.forget(this);
    }

    /** Of a name with several addresses one may never answer: that is told once, as long as another does. */
    #tell(error) {
        const { host } = this.address;
        const at = this.#target.text + (host === this.#target.host ? '' : ` address=${host}`);
        const line = error instanceof Refused ? error.line(at) : `lost proxy=${at} why="${error.message}"`;
        if (line !== this.#told || !this.#target.isServed()) {
            this.#peer.log(line);
        }
        this.#told = line;
    }

    async #dial() {
        const peer = this.#peer;
        // The contexts take turns in the startup string, so that a refused one does not bar the others.
        const context = peer.context[this.#refusals % peer.context.length];
        try {
            return await this.#connect(context, 3);
        } catch (error) {
            if (!(error instanceof Older)) {
                this.#refusals += error instanceof Refused ? 1 : 0;
                throw error;
            }
            if (peer.secret.length > 0 || peer.identity) {
                throw new Error(`no LRWP 3, and there is a secret: ${error.message}`);
            }
            peer.log(`fallback version=1.0 proxy=${this.#target.text} why="${error.message}"`);
        }
        return this.#connect(peer.context[0], 1);
    }

    async #connect(context, version) {
        const peer = this.#peer;
        const connection = new Connection(peer, this.#target, this.address, context, version);
        peer.connections.add(connection);
        connection.gone.then(() => peer.connections.delete(connection));
        await connection.accepted;
        return connection;
    }
}

/** One proxy as the options name it: HOST:PORT with all addresses of HOST, or a local socket. */
class Target {
    #links = new Map(); // address -> Link
    #known = new Set();
    #lookUp = () => {};

    constructor(text) {
        this.text = text;
        const path = /^unix:(.+)$/.exec(text)?.[1];
        const [, v6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]/]+)):(\d{1,5})$/.exec(text) ?? [];
        this.host = v6 ?? name;
        this.port = Number(port);
        if (!path && !(this.host && this.port >= 1 && this.port <= 65535)) {
            throw new TypeError(`proxy is HOST:PORT, [IPV6]:PORT or unix:PATH, not "${text}"`);
        }
        this.path = path;
    }

    /** Whether an address is still wanted. */
    has(link) {
        return this.#known.has(link.address.host ?? link.address.path);
    }

    forget(link) {
        this.#links.delete(link.address.host ?? link.address.path);
    }

    isServed() {
        return [...this.#links.values()].some((link) => link.serving);
    }

    lookUpAgain() {
        this.#lookUp();
    }

    /** Keeps a link to each address until the peer leaves. */
    async run(peer) {
        let delay = FIRST_DELAY_MS;
        while (!peer.draining) {
            const again = new Promise((resolve) => (this.#lookUp = resolve));
            try {
                this.#known = new Set(await this.#addresses());
                delay = FIRST_DELAY_MS;
            } catch (error) {
                if (!this.isServed()) {
                    peer.log(`lost proxy=${this.text} why="${error.message}"`);
                }
                delay = Math.min(2 * delay, LONGEST_DELAY_MS);
            }
            for (const one of peer.draining ? [] : this.#known) {
                if (!this.#links.has(one)) {
                    const address = this.path ? { path: one } : { host: one, port: this.port };
                    this.#links.set(one, new Link(peer, this, address));
                }
            }
            await (this.#known.size > 0 ? peer.pause(LOOK_UP_MS, again)
                : peer.pause(delay / 2 + (Math.random() * delay) / 2));
        }
        await Promise.all([...this.#links.values()].map((link) => link.ended));
    }

    async #addresses() {
        if (this.path) {
            return [this.path];
        }
        return net.isIP(this.host) ? [this.host]
            : (await dns.lookup(this.host, { all: true })).map(({ address }) => address);
    }
}

const DEFAULTS = { proxy: null, context: null, concurrency: 1, secret: '', identity: '', keyId: '', key: null,
    keyFile: null, vhost: '', name: 'lrwp.mjs', stream: false, window: 262144, drainSeconds: 30, upgrades: '',
    tls: null, admit: null, log: (line) => console.error(line) };

/** A key as it stands in a file: hexadecimal digits, for the file's owner only. */
function keyFrom(file) {
    const text = fs.readFileSync(file, 'latin1').trim();
    if (process.platform !== 'win32' && (fs.statSync(file).mode & 0o077) !== 0) {
        throw new TypeError(`others than its owner may use ${file}: chmod 600 ${file}`);
    }
    if (!/^([0-9a-fA-F]{2})+$/.test(text)) {
        throw new TypeError(`${file}: a key is written in hexadecimal digits`);
    }
    return Buffer.from(text, 'hex');
}

/**
 * A handler and the contexts it serves. Options:
 *
 * proxy: 'host:port', '[v6]:port' or 'unix:/path', or a list of them; all addresses of a name are dialled, and it is
 * looked up every 30 seconds and after each loss. context: such as ['/echo', '.ext']; with 1.0 only the first is
 * served, one request at a time. concurrency: requests at once; each proxy is told all of it, what comes above it
 * together waits and has not started. secret: string or bytes; with one there is no fallback to 1.0. vhost: only this
 * host. identity, keyId, and key (32 to 256 bytes) or keyFile (hexadecimal digits, mode 600): who the peer is, by LRWP
 * 3.1. stream: handlers get their requests while the body is still coming. window: bytes of one body on their way to
 * us. upgrades: protocols that the peer takes instead of HTTP, such as 'websocket'; see Request.upgrade. tls: { ca,
 * cert, key } as of tls.connect, to dial inside TLS 1.3; ca has to be given, cert and key if the proxy asks. admit: a
 * function of the env that says why a request is refused, or nothing; no effects in it. drainSeconds: how long drain
 * waits for what has begun. log: gets lines.
 */
export class Peer {
    _streams = Request;
    #running = 0;
    #waiting = []; // streams for which there is no room yet

    constructor(options, handler) {
        Object.assign(this, DEFAULTS, options, { handler, draining: false, connections: new Set(), askAgainMs: ASK_AGAIN_MS });
        this.#check(options);
        this.targets = this.proxy.map((text) => new Target(text));
        if (this.tls && this.targets.some((target) => target.path)) {
            throw new TypeError('tls is not for unix: addresses');
        }
        this.secret = bytesOf(this.secret);
        this.key = this.keyFile ? keyFrom(this.keyFile) : this.key;
        if (this.identity && !(this.key?.length >= LEAST_KEY && this.key.length <= LONGEST_KEY)) {
            throw new TypeError(`a key has ${LEAST_KEY} to ${LONGEST_KEY} bytes, not ${this.key?.length ?? 0}`);
        }
        this.registered = new Promise((resolve) => (this.tellRegistered = resolve)); // at the first proxy
        this.drainAsked = new Promise((resolve) => (this.askDrain = resolve));
    }

    #check(options) {
        const require = (holds, what) => {
            if (!holds) {
                throw new TypeError(what);
            }
        };
        const unknown = Object.keys(options).find((name) => !(name in DEFAULTS));
        const within = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
        const isName = (name) => typeof name === 'string' && /^[^\0\xff\u0100-\uffff]{1,200}$/.test(name);
        require(unknown === undefined, `there is no option ${unknown}`);
        require(typeof this.handler === 'function', 'the handler is no function');
        this.proxy = [this.proxy ?? []].flat();
        require(this.proxy.length > 0, 'proxy is missing');
        this.context = [this.context ?? []].flat();
        require(this.context.length > 0, 'context is missing');
        for (const context of this.context) {
            require(isName(context), `a context has 1 to 200 bytes of Latin-1, not "${context}"`);
        }
        require(this.vhost === '' || isName(this.vhost), 'vhost has at most 200 bytes of Latin-1');
        require(within(this.concurrency, 1, 65536), `concurrency is 1 to 65536, not ${this.concurrency}`);
        require(within(this.window, 1, UNLIMITED), `window is 1 to ${UNLIMITED} bytes, not ${this.window}`);
        require(this.drainSeconds >= 0, `drainSeconds is 0 or more, not ${this.drainSeconds}`);
        require(!this.tls || this.tls.ca, 'tls needs ca: the certificates of the authorities that are trusted');
        require(!this.key || !this.keyFile, 'key and keyFile exclude each other');
        const hasKey = Boolean(this.key || this.keyFile);
        require(Boolean(this.identity) === Boolean(this.keyId) && Boolean(this.identity) === hasKey,
            'identity, keyId and one of key and keyFile belong together');
        for (const name of [this.identity, this.keyId]) {
            require(/^[A-Za-z0-9._-]{0,64}$/.test(name),
                `identity and keyId have 1 to 64 letters, digits, . _ -, not "${name}"`);
        }
    }

    names(context) {
        return `${context}\xff${this.vhost}\xff`;
    }

    /** A handler has failed. */
    failed(error) {
        this.log(`failed why="${error}"\n${error?.stack ?? ''}`);
    }

    /** Why the program refuses a request; empty when it takes it. When it cannot say, that concerns no other. */
    _refusal(stream) {
        try {
            return String(this.admit?.(stream.env) || '');
        } catch (error) { // whose text may hold what it was about, such as a token of the client
            const trace = String(error?.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
            this.log([`failed admission why="${error?.name ?? typeof error}"`, ...trace].join('\n'));
            return 'the admission failed';
        }
    }

    /** A request has come. */
    _admitted(stream) {
        if (this.#running < this.concurrency) {
            this.#start(stream);
        } else {
            this.#waiting.push(stream);
        }
    }

    #start(stream) {
        this.#running++;
        stream._counted = true;
        stream._connection.start(stream);
    }

    /** A handler has ended. */
    _released() {
        this.#running--;
        while (this.#waiting.length > 0 && this.#running < this.concurrency) {
            const stream = this.#waiting.shift();
            if (!stream._closed) {
                this.#start(stream);
            }
        }
    }

    /** Waits so long, until the peer leaves, or until something else. */
    async pause(ms, until = this.drainAsked) {
        let timer;
        await Promise.race([new Promise((resolve) => (timer = setTimeout(resolve, ms))), this.drainAsked, until]);
        clearTimeout(timer);
    }

    /** Finish, then leave. */
    drain() {
        if (!this.draining) {
            this.draining = true;
            this.log('drain by=peer');
            this.askDrain();
            this.connections.forEach((connection) => connection.drain());
            const waiting = this.#waiting.filter((stream) => !stream._closed);
            this.#waiting = waiting.filter((stream) => stream._connection.version === 1); // which cannot refuse
            waiting.forEach((stream) => stream._connection.refuseStream(stream, 'draining'));
        }
    }

    /** Serves until drained. */
    async run() {
        await Promise.all(this.targets.map((target) => target.run(this)));
        await Promise.all([...this.connections].map((connection) => connection.gone));
    }
}
