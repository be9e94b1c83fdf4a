/**
 * A WebSocket echo by the ws package (WebSocketServer, noServer), as an LRWP peer.
 *
 *     npm install
 *     node echo.mjs --proxy 127.0.0.1:1081 --context /socket --concurrency 1000
 */

import { WebSocketServer } from 'ws';
import { makePeer } from '../options.mjs';

const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });

server.on('connection', (socket) => {
    socket.on('message', (message, binary) => socket.send(message, { binary }));
    socket.on('error', (error) => console.error(error.message));
});

const peer = makePeer(async (request) => {
    if (!request.offers('websocket')) {
        return { status: '426 Upgrade Required', body: 'this is for WebSocket\n' };
    }
    const socket = request.socket();
    server.handleUpgrade(request.message, socket, Buffer.alloc(0),
        (webSocket) => server.emit('connection', webSocket, request.message));
    await socket.done;
}, { upgrades: 'websocket' });
process.on('SIGTERM', () => peer.drain());
await peer.run();
