/**
 * A WebSocket echo by the ws package, as an LRWP peer.
 *
 *     npm install
 *     node echo.mjs --proxy 127.0.0.1:1081 --context /socket --concurrency 1000
 */

import { WebSocketServer } from 'ws';
import { serve } from '../../index.mjs';
import { commandLine } from '../options.mjs';

const server = serve((request, response) => {
    response.writeHead(426, { Upgrade: 'websocket' }).end('this is for WebSocket\n');
}, commandLine());

const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
sockets.on('connection', (socket) => {
    socket.on('message', (message, binary) => socket.send(message, { binary }));
    socket.on('error', (error) => console.error(error.message));
});

process.on('SIGTERM', () => server.close());
