import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { finished, pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { createServer, serve, Server } from 'lrwp';
import { frame, Log, number, Proxy } from './proxy.mjs';

const LIMIT = { timeout: 20_000 };

async function serving(t, listener, options = {}) {
    const proxy = await Proxy.listen(t);
    const log = new Log();
    const server = serve(listener,
        { proxy: proxy.address, context: '/x', drainSeconds: 1, log: log.write, ...options });
    t.after(() => new Promise((resolve) => server.close(resolve)));
    const wire = await proxy.accept();
    const settings = await wire.open();
    return { server, wire, log, settings };
}

async function get(wire, variables, body) {
    wire.request(1, variables, body);
    await wire.frame('STARTED');
    return wire.answer(1);
}

/** Lines of a head but for the date. */
function lines(head) {
    return head.split('\r\n').filter((line) => line !== '' && !line.startsWith('Date: '));
}

describe('requests', LIMIT, () => {
    it('are what http.createServer gives', async (t) => {
        let seen;
        const { wire, server, settings } = await serving(t, (req, res) => {
            seen = req;
            res.end(`${req.socket.remoteAddress}`);
        });
        assert.deepEqual([settings.capacity, settings.stream, settings.upgrade], ['1000', '1', 'websocket']);
        const { body } = await get(wire, { HTTP_X_REQUEST_ID: 'r-1', HTTP_COOKIE: 'a=1; b=2', CONTENT_LENGTH: '0' });
        assert.equal(body.toString(), '192.0.2.7');
        assert.ok(seen instanceof http.IncomingMessage && seen.complete);
        assert.equal(seen.method, 'GET');
        assert.equal(seen.url, '/x/a?q=1');
        assert.equal(seen.httpVersion, '1.1');
        assert.deepEqual({ ...seen.headers }, { host: 'example.org', 'x-request-id': 'r-1', cookie: 'a=1; b=2' });
        assert.deepEqual({ ...seen.headersDistinct }.host, ['example.org']);
        assert.deepEqual(seen.rawHeaders.slice(0, 4), ['Host', 'example.org', 'X-Request-Id', 'r-1']);
        assert.deepEqual(seen.socket.address(), { address: '192.0.2.7', family: 'IPv4', port: 4711 });
        assert.equal(seen.socket.encrypted, false);
        assert.equal(seen.socket.env.SERVER_NAME, 'example.org');
        assert.match(server.address(), /^lrwp:\/\/127\.0\.0\.1:\d+\/x$/);
        assert.ok(server.listening && server instanceof Server);
    });

    it('have a body as it comes, no faster than it is read', async (t) => {
        const pieces = [];
        let readOn;
        const { wire } = await serving(t, async (req, res) => {
            await new Promise((resolve) => (readOn = resolve));
            for await (const piece of req) {
                pieces.push(piece);
            }
            res.end(`${Buffer.concat(pieces).length} ${req.headers['transfer-encoding']}`);
        }, { window: 100_000 });
        wire.request(1, { REQUEST_METHOD: 'POST' }, 'x'.repeat(20_000), false);
        await wire.frame('STARTED');
        for (let sent = 20_000; sent < 100_000; sent += 20_000) {
            wire.send(frame('DATA', 1, 'x'.repeat(20_000)));
        }
        wire.send(frame('PING', 0, '12345678'));
        await wire.frame('PONG'); // no WINDOW: nobody reads
        readOn();
        let granted = 0;
        while (granted < 50_000) {
            granted += (await wire.frame('WINDOW')).payload.readUInt32BE();
        }
        wire.send(frame('DATA', 1, 'end', true));
        assert.equal((await wire.answer(1)).body.toString(), '100003 chunked');
    });

    it('say by their length that there is a body', async (t) => {
        const { wire } = await serving(t, async (req, res) => {
            const lengths = [];
            for await (const piece of req) {
                lengths.push(piece.length);
            }
            res.end(JSON.stringify([req.headers['content-length'], req.headers['content-type'], lengths]));
        });
        const variables = { REQUEST_METHOD: 'POST', CONTENT_TYPE: 'text/xml', HTTP_CONTENT_LENGTH: '3' };
        assert.equal((await get(wire, variables, 'abc')).body.toString(), '["3","text/xml",[3]]');
        assert.equal((await get(wire, { REQUEST_METHOD: 'POST' }, '')).body.toString(), '["0",null,[]]');
    });

    it('end in order when nobody has read them', async (t) => {
        const events = [];
        const { wire } = await serving(t, (req, res) => {
            for (const name of ['aborted', 'end', 'close', 'error']) {
                req.on(name, () => events.push(name));
            }
            res.on('close', () => events.push(`answered ${res.writableFinished}`));
            res.end('no interest');
        });
        wire.request(1, { REQUEST_METHOD: 'POST' }, 'abc', false);
        await wire.frame('STARTED');
        const { frame: answer } = await wire.answer(1);
        assert.ok(answer.end);
        wire.send(frame('CANCEL', 1, ''));
        await get(wire);
        assert.deepEqual(events.slice(0, 3).sort(), ['answered true', 'close', 'end']);
    });

    it('are read to their end by who answers early', async (t) => {
        let length = 0;
        const { wire } = await serving(t, (req, res) => {
            req.on('data', (piece) => (length += piece.length));
            res.end('accepted');
        });
        wire.request(1, { REQUEST_METHOD: 'POST' }, 'abc', false);
        await wire.frame('STARTED');
        const response = await wire.frame('RESPONSE');
        assert.match(response.payload.toString(), /accepted$/);
        assert.ok(!response.end);
        wire.send(frame('DATA', 1, 'def', true));
        assert.ok((await wire.frame('DATA')).end);
        assert.equal(length, 6);
    });

    it('whose client goes are aborted, and so are their responses', async (t) => {
        const events = [];
        const gone = [];
        const { wire } = await serving(t, (req, res) => {
            if (req.url !== '/x/gone') {
                res.end('here');
                return;
            }
            req.on('aborted', () => events.push('aborted'));
            req.on('error', (error) => events.push(error.code));
            req.on('close', () => events.push('request closed'));
            res.on('finish', () => events.push('finish'));
            res.on('close', () => events.push(`response closed, finished ${res.writableFinished}`));
            gone.push(once(res, 'close'));
        });
        wire.request(1, { REQUEST_URI: '/x/gone', REQUEST_METHOD: 'POST' }, 'abc', false);
        await wire.frame('STARTED');
        wire.send(frame('CANCEL', 1, 'client gone'));
        assert.equal((await wire.frame('CANCEL')).stream, 1);
        await gone[0];
        assert.equal((await get(wire)).body.toString(), 'here');
        assert.deepEqual(events.sort(), ['ECONNRESET', 'aborted', 'request closed', 'response closed, finished false']);
    });

    it('without a listener get 404', async (t) => {
        const { wire } = await serving(t, undefined);
        assert.match((await get(wire)).head, /^Status: 404 Not Found/);
    });

    it('have contexts of their own for asynchronous work', async (t) => {
        const storage = new AsyncLocalStorage();
        const before = [];
        const { wire } = await serving(t, (req, res) => {
            before.push(storage.getStore());
            storage.enterWith(req.url);
            res.end();
        });
        wire.request(1).request(2);
        const ended = [];
        while (ended.length < 2) {
            const { type, stream } = await wire.frame();
            if (type === 'RESPONSE') {
                ended.push(stream);
            }
        }
        assert.deepEqual(before, [undefined, undefined]);
    });
});

describe('with strip', LIMIT, () => {
    for (const [url, variables, expected] of [
        ['/x/a?q=1', {}, '/a?q=1'],
        ['/x', { PATH_INFO: '' }, '/'],
        ['/x?q=1', { PATH_INFO: '' }, '/?q=1'],
        ['/%78/a%20b%3F?q=1', { PATH_INFO: '/a b?' }, '/a%20b%3F?q=1'],
        ['//x/%C3%A9', { PATH_INFO: '/\xc3\xa9', QUERY_STRING: '' }, '/%C3%A9'],
        ['/a', { SCRIPT_NAME: '' }, '/a'],
    ]) {
        it(`${url} is ${expected}`, async (t) => {
            const { wire } = await serving(t, (req, res) => {
                res.end(JSON.stringify([req.url, req.baseUrl, req.originalUrl]));
            }, { strip: true });
            const { body } = await get(wire, { REQUEST_URI: url, ...variables });
            const whole = variables.SCRIPT_NAME === '' ? [null, null] : ['/x', url];
            assert.deepEqual(JSON.parse(body), [expected, ...whole]);
        });
    }

    it('extensions are an error', () => {
        assert.throws(() => createServer({ proxy: 'h:1', context: '.php', strip: true }), /strip is for paths/);
    });
});

describe('responses', LIMIT, () => {
    for (const [name, answer, expected, text = ''] of [
        ['end alone', (res) => res.end('hello'), ['Status: 200 OK', 'Content-Length: 5'], 'hello'],
        ['writeHead with a reason and fields', (res) => res.writeHead(418, 'Teapot', { 'X-A': 'b' }).end('tea'),
            ['Status: 418 Teapot', 'X-A: b'], 'tea'],
        ['writeHead with a list', (res) => res.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end(),
            ['Status: 200 OK', 'Set-Cookie: a=1', 'Set-Cookie: b=2']],
        ['setHeader and writeHead', (res) => res.setHeader('X-A', ['1', '2']).writeHead(201, { 'x-b': 3 }).end('made'),
            ['Status: 201 Created', 'X-A: 1', 'X-A: 2', 'x-b: 3'], 'made'],
        ['204', (res) => res.writeHead(204).end(), ['Status: 204 No Content']],
        ['304', (res) => res.writeHead(304, { ETag: '"a"' }).end('dropped'), ['Status: 304 Not Modified', 'ETag: "a"']],
        ['bytes', (res) => res.end(Buffer.from([0, 255, 10])), ['Status: 200 OK', 'Content-Length: 3'], '\0\xff\n'],
        ['another encoding', (res) => res.end('616263', 'hex'), ['Status: 200 OK', 'Content-Length: 3'], 'abc'],
        ['pieces', (res) => { res.write('one '); res.write(Buffer.from('two ')); res.end('three'); },
            ['Status: 200 OK'], 'one two three'],
        ['corked pieces', (res) => { res.cork(); res.write('one '); res.write('two'); res.uncork(); res.end(); },
            ['Status: 200 OK'], 'one two'],
        ['chunks by their own wish', (res) => { res.setHeader('Transfer-Encoding', 'chunked'); res.end('once'); },
            ['Status: 200 OK'], 'once'],
        ['trailers', (res) => {
            res.writeHead(200, { Trailer: 'X-T' });
            res.write('a');
            res.addTrailers({ 'X-T': 'b' });
            res.end('b');
        }, ['Status: 200 OK', 'Trailer: X-T'], 'ab'],
        ['interim answers', (res) => {
            res.writeContinue();
            res.writeProcessing();
            res.writeEarlyHints({ link: '</a.css>; rel=preload' });
            res.end('final');
        }, ['Status: 200 OK', 'Content-Length: 5'], 'final'],
        ['flushed heads', (res) => { res.flushHeaders(); res.end('later'); }, ['Status: 200 OK'], 'later'],
        ['a text that is wider than Latin-1', (res) => res.setHeader('X-A', '\xe9').end('\u20ac'),
            ['Status: 200 OK', 'X-A: \xe9', 'Content-Length: 3'], '\xe2\x82\xac'],
    ]) {
        it(`go out with ${name}`, async (t) => {
            const { wire } = await serving(t, (req, res) => {
                answer(res);
            });
            const { head, body } = await get(wire);
            assert.deepEqual(lines(head), expected);
            assert.equal(body.toString('latin1'), text);
        });
    }

    it('are one frame where they are made at once', async (t) => {
        const { wire } = await serving(t, (req, res) => res.setHeader('X-A', 'b').end('x'.repeat(10_000)));
        assert.ok((await get(wire)).frame.end);
    });

    it('to HEAD have no body', async (t) => {
        const { wire } = await serving(t, (req, res) => res.setHeader('Content-Length', 5).end('hello'));
        const { head, body } = await get(wire, { REQUEST_METHOD: 'HEAD' });
        assert.deepEqual(lines(head), ['Status: 200 OK', 'Content-Length: 5']);
        assert.equal(body.length, 0);
    });

    it('wait for a slow client', async (t) => {
        const events = [];
        const { wire } = await serving(t, async (req, res) => {
            for (let piece = 0; piece < 50; piece++) {
                if (!res.write(Buffer.alloc(10_000, piece))) {
                    assert.ok(res.writableNeedDrain);
                    await once(res, 'drain');
                    assert.ok(!res.writableNeedDrain);
                }
                events.push(piece);
            }
            res.end();
        });
        wire.request(1);
        await wire.frame('STARTED');
        const first = await wire.frame('RESPONSE');
        let came = first.payload.length - first.payload.indexOf('\r\n\r\n') - 4;
        while (came < 65536) {
            came += (await wire.frame('DATA')).payload.length;
        }
        wire.send(frame('PING', 0, '12345678'));
        await wire.frame('PONG');
        assert.ok(events.length < 20, `${events.length} pieces are written without a window`);
        wire.send(frame('WINDOW', 1, number(1_000_000)));
        for (let last = { end: false }; !last.end; came += last.payload.length) {
            last = await wire.frame('DATA');
        }
        assert.equal(came, 500_000);
    });

    it('go to a server that knows 1.0 alone, whole and without chunks', async (t) => {
        const proxy = await Proxy.listen(t);
        const server = serve(async (req, res) => {
            await pipeline(req, res);
        }, { proxy: proxy.address, context: '/x', drainSeconds: 0, log: () => {} });
        t.after(() => new Promise((resolve) => server.close(resolve)));
        server.on('upgrade', () => assert.fail('1.0 has no tunnels'));
        (await proxy.accept()).send('ERROR: Unknown LRWP version').close();
        const block = 'REQUEST_METHOD=POST\0REQUEST_URI=/x\0HTTP_UPGRADE=websocket\0CONTENT_LENGTH=200000\0\0';
        const answer = await (await proxy.accept()).serial(block, 'x'.repeat(200_000));
        assert.match(answer, /^Status: 200 OK\r\nDate: [^\r]*\r\n\r\nx{200000}$/);
    });

    it('can be piped from their requests', async (t) => {
        const { wire } = await serving(t, async (req, res) => {
            await pipeline(req, res);
            await finished(res);
        });
        const large = 'x'.repeat(300_000);
        wire.request(1, { REQUEST_METHOD: 'POST' }, large.slice(0, 50_000), false);
        for (let at = 50_000; at < large.length; at += 50_000) {
            wire.send(frame('DATA', 1, large.slice(at, at + 50_000), at + 50_000 >= large.length));
        }
        let length = 0;
        for (let last = { end: false }; !last.end;) {
            last = await wire.frame();
            if (last.type === 'RESPONSE' || last.type === 'DATA') {
                const body = last.type === 'DATA' ? last.payload
                    : last.payload.subarray(last.payload.indexOf('\r\n\r\n') + 4);
                length += body.length;
                if (!last.end && body.length > 0) {
                    wire.send(frame('WINDOW', 1, number(body.length)));
                }
            }
        }
        assert.equal(length, 300_000);
    });

    it('that are destroyed cut their client', async (t) => {
        const { wire, server } = await serving(t, (req, res) => {
            if (req.url === '/x/begun') {
                res.write('a part');
            }
            setImmediate(() => (req.url === '/x/socket' ? req.socket : req.url === '/x/request' ? req : res).destroy());
        });
        for (const url of ['/x/whole', '/x/request', '/x/socket', '/x/begun']) {
            wire.request(1, { REQUEST_URI: url });
            await wire.frame('STARTED');
            const next = await wire.frame();
            assert.equal(next.type === 'RESPONSE' ? (await wire.frame()).type : next.type, 'CANCEL', url);
        }
        assert.ok(server.listening);
    });

    it('have a time if they are told so', async (t) => {
        const { wire } = await serving(t, (req, res) => {
            res.setTimeout(20, () => res.writeHead(503).end('too late'));
        });
        assert.match((await get(wire)).head, /^Status: 503 /);
        const other = await serving(t, (req, res) => res.setTimeout(20));
        other.wire.request(1);
        await other.wire.frame('STARTED');
        await other.wire.frame('CANCEL');
    });

    for (const [name, listener] of [
        ['throws', (req, res) => {
            res.setHeader('X-Secret', 'of the failed answer');
            throw new Error('thrown here');
        }],
        ['rejects', async (req, res) => {
            res.setHeader('X-Secret', 'of the failed answer');
            await null;
            throw new Error('thrown here');
        }],
    ]) {
        it(`are 500 when their listener ${name}, and the log has its stack`, async (t) => {
            const { wire, log } = await serving(t, listener);
            const { head } = await get(wire);
            assert.match(head, /^Status: 500 Internal Server Error\r\nContent-Type: text\/plain\r\n/);
            assert.ok(!head.includes('X-Secret'));
            assert.match(await log.has(/failed why="Error: thrown here"/), /serve\.test\.mjs/);
        });
    }

    it('that have begun are cut when their listener fails', async (t) => {
        const { wire } = await serving(t, async (req, res) => {
            res.write('a part');
            await null;
            throw new Error('thrown here');
        });
        wire.request(1);
        await wire.frame('STARTED');
        for (let type = ''; type !== 'CANCEL';) {
            ({ type } = await wire.frame());
            assert.ok(['RESPONSE', 'CANCEL'].includes(type));
        }
    });

    it('cannot have a header with a line end', async (t) => {
        const { wire, log } = await serving(t, (req, res) => res.setHeader('X-A', 'a\r\nSet-Cookie: b').end());
        const { head } = await get(wire);
        assert.match(head, /^Status: 500 /);
        assert.ok(!head.includes('Set-Cookie'));
        await log.has(/ERR_INVALID_CHAR|Invalid character/);
    });
});

describe('upgrades', LIMIT, () => {
    const ASKED = { HTTP_UPGRADE: 'websocket', HTTP_CONNECTION: 'Upgrade', CONTENT_LENGTH: '0' };

    it('have a socket that is the tunnel', async (t) => {
        const { wire, server } = await serving(t, (req, res) => res.end('the slot is free'));
        server.on('upgrade', (req, socket, head) => {
            assert.equal(req.headers.upgrade, 'websocket');
            assert.equal(head.length, 0);
            assert.equal(socket.remoteAddress, '192.0.2.7');
            socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConn');
            socket.write('ection: Upgrade\r\n\r\nfirst');
            socket.on('data', (data) => socket.write(data.toString().toUpperCase()));
            socket.on('end', () => socket.end('bye'));
        });
        wire.request(1, ASKED, '', false);
        await wire.frame('STARTED');
        const { payload, end } = await wire.frame('RESPONSE');
        assert.match(payload.toString(), /^Status: 101 Switching Protocols\r\nUpgrade: websocket\r\n.*\r\n\r\nfirst$/s);
        assert.ok(!end);
        wire.send(frame('DATA', 1, 'hello'));
        assert.equal((await wire.frame('DATA')).payload.toString(), 'HELLO');
        wire.send(frame('DATA', 1, '', true));
        const last = await wire.frame('DATA');
        assert.deepEqual([last.payload.toString(), last.end], ['bye', true]);
        assert.equal((await get(wire)).body.toString(), 'the slot is free');
    });

    it('are refused by what is written to the socket', async (t) => {
        const { wire, server } = await serving(t, () => {});
        server.on('upgrade', (req, socket) => {
            socket.once('finish', () => socket.destroy());
            socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 3\r\n\r\nno\n');
        });
        wire.request(1, ASKED, '', false);
        await wire.frame('STARTED');
        const { head, body, frame: response } = await wire.answer(1);
        assert.match(head, /^Status: 400 Bad Request/);
        assert.equal(body.toString(), 'no\n');
        assert.ok(response.end);
    });

    it('are refused by what is written before the socket is destroyed', async (t) => {
        const { wire, server } = await serving(t, () => {});
        server.on('upgrade', (req, socket) => {
            socket.write('HTTP/1.1 401 Unauthorized\r\n\r\n');
            assert.equal(socket.bytesWritten, 29);
            socket.destroy();
        });
        wire.request(1, ASKED, '', false);
        await wire.frame('STARTED');
        const { head, frame: response } = await wire.answer(1);
        assert.match(head, /^Status: 401 Unauthorized/);
        assert.ok(response.end);
    });

    it('are given up, without an error, when the socket ends before its head', async (t) => {
        const { wire, server } = await serving(t, () => {});
        const closed = new Promise((resolve) => {
            server.on('upgrade', (req, socket) => {
                assert.equal(socket.bytesWritten, 0);
                socket.once('finish', () => socket.once('close', resolve)).end();
            });
        });
        wire.request(1, ASKED, '', false);
        await wire.frame('STARTED');
        await closed;
        assert.equal((await wire.frame('CANCEL')).payload.toString(), 'the socket has ended before its head');
    });

    it('are cut with their client, and their client with them', async (t) => {
        const closed = [];
        const { wire, server } = await serving(t, () => {});
        server.on('upgrade', (req, socket) => {
            socket.on('close', () => closed.push(req.url));
            socket.on('error', () => {});
            socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n');
            socket.on('data', () => socket.destroy());
        });
        for (const url of ['/x/client', '/x/listener']) {
            wire.request(1, { ...ASKED, REQUEST_URI: url }, '', false);
            await wire.frame('STARTED');
            await wire.frame('RESPONSE');
            wire.send(url === '/x/client' ? frame('CANCEL', 1, '') : frame('DATA', 1, 'x'));
            await wire.frame('CANCEL');
            if (url === '/x/listener') {
                wire.send(frame('CANCEL', 1, ''));
            }
        }
        assert.deepEqual(closed, ['/x/client', '/x/listener']);
    });

    it('that nobody listens for are ordinary requests', async (t) => {
        const { wire } = await serving(t, (req, res) => {
            req.resume().on('end', () => res.end(`${req.method} ${req.headers.upgrade}`));
        });
        wire.request(1, ASKED, '', false);
        await wire.frame('STARTED');
        assert.equal((await wire.answer(1)).body.toString(), 'GET websocket');
    });

    it('that fail are told in the log', async (t) => {
        const { wire, server, log } = await serving(t, () => {});
        server.on('upgrade', async () => {
            throw new Error('no upgrade');
        });
        wire.request(1, ASKED, '', false);
        await wire.frame('STARTED');
        await wire.frame('CANCEL');
        await log.has(/failed why="Error: no upgrade"/);
    });
});

describe('a server', LIMIT, () => {
    it('finishes what has begun, refuses the rest, then closes', async (t) => {
        let answer;
        const { wire, server } = await serving(t, (req, res) => (answer = () => res.end('late')));
        wire.request(1);
        await wire.frame('STARTED');
        const closed = new Promise((resolve) => server.close(resolve));
        await wire.frame('DRAIN');
        wire.request(2);
        assert.equal((await wire.frame('REFUSED')).stream, 2);
        answer();
        assert.equal((await wire.answer(1)).body.toString(), 'late');
        wire.close();
        assert.equal(await closed, undefined);
        assert.ok(!server.listening);
        assert.equal(server.address(), null);
        const again = await new Promise((resolve) => server.close(resolve));
        assert.equal(again.code, 'ERR_SERVER_NOT_RUNNING');
    });

    it('goes on when admit throws, and says why it refused', async (t) => {
        const admit = (env) => {
            if (env.HTTP_COOKIE) {
                throw new TypeError('no reader for the secret of a client');
            }
        };
        const { wire, log } = await serving(t, (req, res) => res.end('fine'), { admit });
        wire.request(1, { HTTP_COOKIE: 'secret' });
        const refused = await wire.frame('REFUSED');
        assert.equal(refused.payload.toString(), 'the admission failed');
        const line = await log.has(/failed admission why="TypeError"/);
        assert.doesNotMatch(line, /secret/);
        wire.request(3);
        await wire.frame('STARTED');
        assert.equal((await wire.answer(3)).body.toString(), 'fine');
    });

    it('dials when it is told to listen, wherever that should be', async (t) => {
        const proxy = await Proxy.listen(t);
        const server = createServer({ proxy: proxy.address, context: '/x', log: () => {} },
            (req, res) => res.end('fine'));
        t.after(() => server.close());
        assert.equal(server.listening, false);
        const listening = new Promise((resolve) => server.listen({ port: 3000 }, resolve));
        const wire = await proxy.accept();
        await wire.open();
        await listening;
        assert.equal((await get(wire)).body.toString(), 'fine');
    });

    it('says at once what is wrong with its options', () => {
        assert.throws(() => serve(() => {}, { proxy: 'nowhere', context: '/x' }), /proxy is HOST:PORT/);
        assert.throws(() => serve(() => {}, { proxy: 'h:1' }), /context is missing/);
        assert.throws(() => serve(() => {}, { proxy: 'h:1', context: '/x', port: 3000 }), /there is no option port/);
    });

    it('is there for CommonJS too', () => {
        assert.equal(createRequire(import.meta.url)('lrwp').serve, serve);
    });
});

describe('the package', LIMIT, () => {
    it('has a type for each of its exports and options', async () => {
        const types = fs.readFileSync(new URL('../index.d.ts', import.meta.url), 'utf8');
        for (const name of Object.keys(await import('lrwp'))) {
            assert.match(types, new RegExp(`^export (const|class|function) ${name}\\b`, 'm'));
        }
        const { peer } = createServer({ proxy: 'h:1', context: '/x' });
        const page = fs.readFileSync(new URL('../README.md', import.meta.url), 'utf8');
        for (const option of ['proxy', 'context', 'concurrency', 'vhost', 'identity', 'keyId', 'key', 'keyFile',
            'secret', 'tls', 'stream', 'window', 'upgrades', 'drainSeconds', 'admit', 'name', 'log']) {
            assert.ok(option in peer, option);
            assert.match(types, new RegExp(`^    ${option}\\??:`, 'm'));
            assert.ok(page.includes(`\`${option}\``), `README.md does not name ${option}`);
        }
    });

    it('goes on with other requests when a listener has thrown and the process lives', () => {
        const program = `
            import { serve } from 'lrwp';
            import { Proxy, frame } from './test/proxy.mjs';
            const after = [];
            const proxy = await Proxy.listen({ after: (end) => after.push(end) });
            process.on('uncaughtException', (error) => console.log(error.message));
            const server = serve((req, res) => {
                req.on('data', (piece) => {
                    if (req.url === '/bad') {
                        throw new Error('thrown while it reads');
                    }
                });
                req.on('end', () => res.end('fine'));
            }, { proxy: proxy.address, context: '/x', drainSeconds: 0, log: () => {} });
            const wire = await proxy.accept();
            await wire.open();
            wire.request(1, { REQUEST_URI: '/bad' }, '', false).request(2, { REQUEST_URI: '/good' }, '', false);
            await wire.frame('STARTED');
            await wire.frame('STARTED');
            wire.send(frame('DATA', 1, 'x'), frame('DATA', 2, 'y', true));
            console.log((await wire.answer(2)).body.toString());
            after.forEach((end) => end());
            process.exit();`;
        const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program],
            { cwd: new URL('..', import.meta.url), encoding: 'utf8', timeout: 10_000 });
        assert.equal(printed, 'thrown while it reads\nfine\n');
    });
});
