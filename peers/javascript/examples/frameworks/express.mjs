// An Express application, with WebSocket by ws beside it, as an LRWP peer.
import express from 'express';
import { serve } from 'lrwp';
import { WebSocketServer } from 'ws';
import { commandLine } from '../options.mjs';

const options = commandLine();
const context = options.context[0].replace(/^\/*/, '/'); // contexts may come without their slash
const router = express.Router();

router.get('/hello/:name', (req, res) => {
    res.cookie('a', '1').cookie('b', '2').json({ hello: req.params.name, url: req.originalUrl, ip: req.ip });
});
router.post('/json', express.json({ limit: '1mb' }), (req, res) => res.status(201).json(req.body));
router.post('/upload', async (req, res) => {
    let length = 0;
    for await (const piece of req) {
        length += piece.length;
    }
    res.type('text').send(`${length}\n`);
});
router.get('/stream', (req, res) => {
    res.type('text');
    for (let line = 1; line <= 1000; line++) {
        res.write(`line ${line}\n`);
    }
    res.end();
});
router.get('/file', (req, res) => res.sendFile(import.meta.filename));
router.get('/fail', () => {
    throw new Error('thrown by the handler');
});

const app = express();
app.set('env', 'production'); // no stack traces for clients
app.use(context, router);
const server = serve(app, options);

const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => socket.on('message', (message, binary) => socket.send(message, { binary })));

process.on('SIGTERM', () => server.close(() => console.log('drained')));
