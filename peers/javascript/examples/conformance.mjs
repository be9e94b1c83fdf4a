// The test peer of peers/conformance: what it does is in docs/protocol.md, section 19.
import { setTimeout as pause } from 'node:timers/promises';
import { makePeer } from './options.mjs';

function line(request) {
    return Buffer.from(`${request.env.REQUEST_METHOD} ${request.env.PATH_INFO}\n`, 'latin1');
}

/** Bytes of which the byte at i is i modulo 251. */
function bytes(begin, count) {
    const round = Buffer.from(Array.from({ length: 251 }, (_, i) => (begin + i) % 251));
    return Buffer.alloc(count, round);
}

async function slow(request, query) {
    console.log('began');
    try {
        await pause(30_000, undefined, { signal: request.signal });
        return 'done\n';
    } catch (error) {
        await pause(query('linger'));
        console.log('cancelled');
        throw error;
    }
}

async function stream(request, query) {
    const size = query('size');
    request.start();
    for (let i = 0; i < query('n'); i++) {
        if (i > 0 && query('ms') > 0) {
            await pause(query('ms'));
        }
        await request.write(bytes(i * size, size));
    }
}

async function failLate(request) {
    request.start();
    await request.write('begun\n');
    await pause(10); // the piece is out
    throw new Error('the handler fails late');
}

async function through(request) {
    await request.write(line(request));
    for await (const piece of request) {
        await request.write(piece);
    }
}

async function upgrade(request) {
    if (!request.offers('echo')) {
        return { status: '426 Upgrade Required', body: 'this is for echo\n' };
    }
    request.upgrade('echo');
    for await (const piece of request) {
        await request.write(piece);
    }
}

async function close(request) {
    request.upgrade('echo');
    await request.write('bye');
}

const paths = {
    '/bytes': (request, query) => bytes(0, query('n')),
    '/env': (request) => Buffer.from(request.env[request.env.QUERY_STRING] ?? '', 'latin1'),
    '/stream': stream,
    '/slow': slow,
    '/fields': () => ({ body: 'fields\n', headers: { 'X-One': '1', 'Set-Cookie': ['a=1', 'b=2'] } }),
    '/through': through,
    '/unread': () => 'unread\n',
    '/fail': () => {
        throw new Error('the handler fails');
    },
    '/fail/value': () => ({ body: 'x', headers: { 'X-Value': 'a\r\nSet-Cookie: stolen=1' } }),
    '/fail/name': () => ({ body: 'x', headers: { 'X Value': 'a' } }),
    '/fail/late': failLate,
    '/upgrade': upgrade,
    '/upgrade/close': close,
    '/capacity': () => ({ status: '501 Not Implemented', body: 'its capacity stays\n' }),
};

async function echo(request) {
    return Buffer.concat([line(request), await request.body()]);
}

async function handle(request) {
    const path = request.env.PATH_INFO;
    const values = new URLSearchParams(request.env.QUERY_STRING);
    if (path.startsWith('/status/')) {
        return { status: `${path.slice(8)} Test`, body: '' };
    }
    return (paths[path] ?? echo)(request, (name) => Number(values.get(name) ?? 0));
}

const admit = (env) => (env.PATH_INFO === '/refuse' ? 'not here' : null);
const peer = makePeer(handle, { stream: true, upgrades: 'echo', admit });
process.on('SIGTERM', () => peer.drain());
await peer.run();
